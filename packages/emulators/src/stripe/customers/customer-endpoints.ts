import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { retrieve } from '../http/retrieve.ts'
import { search, searchParams } from '../http/search.ts'
import { invalid } from '../protocol/errors.ts'
import { isWithin, listing, listOf } from '../protocol/list.ts'
import { changeMetadata, metadata, newMetadata } from '../protocol/metadata.ts'
import {
  boolean,
  choice,
  email,
  emptyable,
  given,
  integer,
  integerBetween,
  list,
  object,
  text,
} from '../protocol/params.ts'
import type { CustomerRecord } from '../records/customer.ts'
import { noAddress } from '../wire/address.ts'
import { toWireCustomer } from '../wire/customer.ts'
import type { World } from '../world/world.ts'
import { address } from './address.ts'
import { createCustomer, requireCustomer, saveCustomer } from './customers.ts'
import { attachPaymentMethod, methodOfToken, paymentMethodOf, requireAcceptance } from './payment-methods.ts'

/** What is only repeated by the answers. */
const echoed = {
  address: emptyable(address).optional(),
  shipping: emptyable(object({ address, name: text, phone: text.optional() })).optional(),
  preferred_locales: list(text).optional(),
  tax_exempt: emptyable(choice('exempt', 'none', 'reverse')).optional(),
}

const shared = {
  ...echoed,
  balance: integer.optional(),
  description: emptyable(text).optional(),
  email: emptyable(email).optional(),
  invoice_prefix: text.optional(),
  invoice_settings: object({ default_payment_method: emptyable(text).optional() }).optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
  next_invoice_sequence: integerBetween(1).optional(),
  phone: emptyable(text).optional(),
}

type Echoed = {
  address?: Record<string, unknown> | null | undefined
  shipping?: Record<string, unknown> | null | undefined
  preferred_locales?: string[] | undefined
  tax_exempt?: string | null | undefined
}

function echoesOf({
  address: place,
  shipping,
  preferred_locales,
  tax_exempt,
}: Echoed): Record<string, unknown> {
  const told = { address: place && { ...noAddress, ...place }, shipping, preferred_locales, tax_exempt }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

const url = '/v1/customers'

export const customerEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    '/customers',
    object({
      ...shared,
      payment_method: text.optional(),
      source: text.optional(),
      test_clock: text.optional(),
      validate: boolean.optional(),
    }),
    ({ world, params }) => {
      const testClockId = params.test_clock ?? null
      if (testClockId !== null) world.of('testClock').get(testClockId, 'test_clock')
      const cardId =
        params.payment_method ?? (params.source === undefined ? undefined : methodOfToken(params.source))
      const card = cardId === undefined ? undefined : paymentMethodOf(world, cardId, 'payment_method')
      if (card) requireAcceptance(card)
      const customer = createCustomer(world, {
        email: params.email ?? null,
        name: params.name ?? null,
        phone: params.phone ?? null,
        description: params.description ?? null,
        balance: params.balance ?? 0,
        metadata: newMetadata(params.metadata),
        testClockId,
        echoes: echoesOf(params),
        ...(params.invoice_prefix === undefined ? {} : { invoicePrefix: params.invoice_prefix }),
      })
      if (card) attachPaymentMethod(world, card.id, customer.id)
      const defaultPaymentMethodId =
        defaultOf(world, params, customer) ?? (params.source === undefined ? undefined : card?.id)
      if (defaultPaymentMethodId === undefined) return toWireCustomer(world, customer)
      return toWireCustomer(world, world.of('customer').put({ ...customer, defaultPaymentMethodId }))
    },
  ),
  endpoint(
    'GET',
    '/customers',
    object({
      ...listing,
      email: text.optional(),
      test_clock: text.optional(),
    }),
    ({ world, params: { created, email: wanted, test_clock: testClockId = null, ...page } }) => {
      const found = world
        .of('customer')
        .list(
          (customer) =>
            !customer.deleted &&
            customer.testClockId === testClockId &&
            (wanted === undefined || customer.email === wanted) &&
            isWithin(created, customer.created),
        )
      return listOf(found, page, url, (customer) => toWireCustomer(world, customer))
    },
  ),
  endpoint('GET', '/customers/search', object(searchParams), ({ world, params }) =>
    search(
      world.of('customer').list(({ deleted }) => !deleted),
      params,
      {
        url: `${url}/search`,
        look: ({ metadata: pairs, email: at, name, phone }) => ({
          metadata: pairs,
          fields: { email: at, name, phone },
        }),
        toWire: (customer) => toWireCustomer(world, customer),
      },
    ),
  ),
  retrieve('/customers', 'customer', toWireCustomer),
  endpoint(
    'POST',
    '/customers/:id',
    object({ ...shared, source: text.optional(), validate: boolean.optional() }),
    ({ world, params, id }) => {
      const customer = requireCustomer(world, id)
      const card =
        params.source === undefined ? undefined : attachPaymentMethod(world, methodOfToken(params.source), id)
      const defaultPaymentMethodId = defaultOf(world, params, customer) ?? card?.id
      const changed = saveCustomer(world, customer, {
        ...customer,
        email: given(params.email, customer.email),
        name: given(params.name, customer.name),
        phone: given(params.phone, customer.phone),
        description: given(params.description, customer.description),
        balance: params.balance ?? customer.balance,
        metadata: changeMetadata(customer.metadata, params.metadata),
        invoicePrefix: params.invoice_prefix ?? customer.invoicePrefix,
        nextInvoiceNumber: params.next_invoice_sequence ?? customer.nextInvoiceNumber,
        defaultPaymentMethodId: given(defaultPaymentMethodId, customer.defaultPaymentMethodId),
        echoes: { ...customer.echoes, ...echoesOf(params) },
      })
      return toWireCustomer(world, changed)
    },
  ),
]

type DefaultParams = {
  invoice_settings?: { default_payment_method?: string | null | undefined } | undefined
}

/** The default card that was asked for; null unsets it. It must be this customer's. */
function defaultOf(world: World, { invoice_settings: settings }: DefaultParams, customer: CustomerRecord) {
  const id = settings?.default_payment_method
  if (id === undefined || id === null) return id
  const method = paymentMethodOf(world, id, 'invoice_settings[default_payment_method]')
  if (method.customerId === customer.id) return method.id
  const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`
  throw invalid(message, { code: 'resource_missing', param: 'invoice_settings[default_payment_method]' })
}
