import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { parameterMissing } from '../protocol/errors.ts'
import { listOf, pagination } from '../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../protocol/metadata.ts'
import { choice, emptyable, given, integerBetween, object, text } from '../protocol/params.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'
import type { World } from '../world/world.ts'
import { address } from './address.ts'
import { requireCustomer } from './customers.ts'
import {
  attachPaymentMethod,
  detachPaymentMethod,
  methodOfToken,
  newPaymentMethod,
  paymentMethodOf,
} from './payment-methods.ts'

const billingDetails = object({
  email: emptyable(text).optional(),
  name: emptyable(text).optional(),
  phone: emptyable(text).optional(),
  address: emptyable(address).optional(),
})

const expiry = { exp_month: integerBetween(1, 12), exp_year: integerBetween(1970, 2200) }

export const paymentMethodEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/payment_methods',
    object({
      type: choice('card'),
      card: object({
        number: text.optional(),
        token: text.optional(),
        cvc: text.optional(),
        exp_month: expiry.exp_month.optional(),
        exp_year: expiry.exp_year.optional(),
      }),
      billing_details: billingDetails.optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params }) => {
      const { card, billing_details: { email, name, phone, address: place } = {} } = params
      const cardNumber = card.number ?? (card.token === undefined ? undefined : methodOfToken(card.token))
      if (cardNumber === undefined) throw parameterMissing('card[number]')
      const method = newPaymentMethod(world, {
        customerId: null,
        cardNumber,
        ...(card.exp_month === undefined ? {} : { expMonth: card.exp_month }),
        ...(card.exp_year === undefined ? {} : { expYear: card.exp_year }),
        email: email ?? null,
        name: name ?? null,
        phone: phone ?? null,
        address: place ?? null,
        metadata: newMetadata(params.metadata),
      })
      return toWirePaymentMethod(world, method)
    },
  ),
  endpoint(
    'GET',
    '/payment_methods',
    object({ ...pagination, customer: text.optional(), type: text.optional() }),
    ({ world, params: { customer, type, ...page } }) => {
      const methods = customer === undefined ? [] : cardsOf(world, customer, type)
      return listOf(methods, page, '/v1/payment_methods', (method) => toWirePaymentMethod(world, method))
    },
  ),
  endpoint(
    'GET',
    '/customers/:customer/payment_methods',
    object({ ...pagination, type: text.optional() }),
    ({ world, params: { type, ...page }, path: { customer = '' } }) =>
      listOf(cardsOf(world, customer, type), page, `/v1/customers/${customer}/payment_methods`, (method) =>
        toWirePaymentMethod(world, method),
      ),
  ),
  endpoint('GET', '/payment_methods/:id', object({}), ({ world, id }) =>
    toWirePaymentMethod(world, paymentMethodOf(world, id)),
  ),
  endpoint(
    'POST',
    '/payment_methods/:id',
    object({
      billing_details: billingDetails.optional(),
      card: object({
        exp_month: expiry.exp_month.optional(),
        exp_year: expiry.exp_year.optional(),
      }).optional(),
      metadata: metadata.optional(),
    }),
    ({ world, params, id }) => {
      const method = world.of('paymentMethod').get(id)
      const details = params.billing_details
      const changed = world.of('paymentMethod').put({
        ...method,
        expMonth: params.card?.exp_month ?? method.expMonth,
        expYear: params.card?.exp_year ?? method.expYear,
        billing: {
          email: given(details?.email, method.billing.email),
          name: given(details?.name, method.billing.name),
          phone: given(details?.phone, method.billing.phone),
          address: given(details?.address, method.billing.address),
        },
        metadata: changeMetadata(method.metadata, params.metadata),
      })
      world.emit('payment_method.updated', toWirePaymentMethod(world, changed))
      return toWirePaymentMethod(world, changed)
    },
  ),
  endpoint('POST', '/payment_methods/:id/attach', object({ customer: text }), ({ world, params, id }) =>
    toWirePaymentMethod(world, attachPaymentMethod(world, id, params.customer)),
  ),
  endpoint('POST', '/payment_methods/:id/detach', object({}), ({ world, id }) =>
    toWirePaymentMethod(world, detachPaymentMethod(world, id)),
  ),
]

function cardsOf(world: World, customerId: string, type = 'card') {
  const customer = requireCustomer(world, customerId, 'customer')
  return type === 'card' ? world.of('paymentMethod').ofCustomer(customer.id) : []
}
