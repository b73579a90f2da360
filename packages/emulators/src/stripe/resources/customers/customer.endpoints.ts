import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { resourceMissing } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import {
  changeMetadata,
  email,
  emptyable,
  given,
  integer,
  metadata,
  newMetadata,
  object,
  text,
} from '../../protocol/params.ts'
import { createCustomer, requireCustomer, saveCustomer, toWireCustomer } from './customer.ts'
import { removeCustomerDiscount } from './customer-discount.ts'
import { attachPaymentMethod, paymentMethodOf, requireAcceptance, requireOwnCard } from './payment-method.ts'

const path = '/customers'

const address = object({
  city: text.optional(),
  country: text.optional(),
  line1: text.optional(),
  line2: text.optional(),
  postal_code: text.optional(),
  state: text.optional(),
})

const shared = {
  address: emptyable(address).optional(),
  phone: emptyable(text).optional(),
  shipping: emptyable(object({ address, name: text, phone: text.optional() })).optional(),
  balance: integer.optional(),
  description: emptyable(text).optional(),
  email: emptyable(email).optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
}

export const customerEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({ ...shared, payment_method: text.optional(), test_clock: text.optional() }),
    ({ store, params }) => {
      const testClockId = params.test_clock ?? null
      if (testClockId !== null) store.of('testClock').get(testClockId, 'test_clock')
      const card = params.payment_method && paymentMethodOf(store, params.payment_method, 'payment_method')
      if (card) requireAcceptance(card)
      const customer = createCustomer(store, {
        email: params.email ?? null,
        name: params.name ?? null,
        description: params.description ?? null,
        phone: params.phone ?? null,
        address: params.address ?? null,
        shipping: params.shipping ?? null,
        balance: params.balance ?? 0,
        metadata: newMetadata(params.metadata),
        testClockId,
      })
      if (card) attachPaymentMethod(store, card.id, customer.id)
      return toWireCustomer(store, customer)
    },
  ),
  endpoint(
    'GET',
    path,
    object({ ...pagination, email: text.optional(), test_clock: text.optional() }),
    ({ store, params: { email: wanted, test_clock: testClockId = null, ...page } }) => {
      const found = store
        .of('customer')
        .list(
          (customer) =>
            !customer.deleted &&
            customer.testClockId === testClockId &&
            (wanted === undefined || customer.email === wanted),
        )
      return listOf(found, page, `/v1${path}`, (customer) => toWireCustomer(store, customer))
    },
  ),
  retrieve(path, 'customer', toWireCustomer),
  endpoint(
    'POST',
    `${path}/:id`,
    object({
      ...shared,
      invoice_settings: object({ default_payment_method: emptyable(text).optional() }).optional(),
    }),
    ({ store, params, id }) => {
      const customer = requireCustomer(store, id)
      const cardId = params.invoice_settings?.default_payment_method
      if (cardId) requireOwnCard(store, cardId, id, 'invoice_settings[default_payment_method]')
      const changed = saveCustomer(store, customer, {
        ...customer,
        email: given(params.email, customer.email),
        name: given(params.name, customer.name),
        description: given(params.description, customer.description),
        phone: given(params.phone, customer.phone),
        address: given(params.address, customer.address),
        shipping: given(params.shipping, customer.shipping),
        balance: params.balance ?? customer.balance,
        metadata: changeMetadata(customer.metadata, params.metadata),
        defaultPaymentMethodId: given(cardId, customer.defaultPaymentMethodId),
      })
      return toWireCustomer(store, changed)
    },
  ),
  endpoint('DELETE', `${path}/:id/discount`, object({}), ({ store, id }) => {
    const customer = requireCustomer(store, id)
    const discountId = customer.discount?.id
    if (discountId === undefined) throw resourceMissing('discount', id)
    removeCustomerDiscount(store, customer)
    return { id: discountId, object: 'discount', deleted: true }
  }),
]
