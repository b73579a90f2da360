import { resourceMissing } from '../../protocol/errors.ts'
import type { Metadata } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, emitChange, type Store } from '../../store/store.ts'

export type CustomerRecord = Common & {
  email: string | null
  name: string | null
  description: string | null
  testClockId: string | null
  /** `invoice_settings.default_payment_method`. */
  defaultPaymentMethodId: string | null
  /** Negative: credit that the next invoices use up. */
  balance: number
  invoicePrefix: string
  nextInvoiceNumber: number
  deleted: boolean
}

declare module '../../store/store.ts' {
  interface Records {
    customer: CustomerRecord
  }
}

/** A customer as Stripe answers it; one that was deleted is only its id. */
export function toWireCustomer(store: Store, customer: CustomerRecord): WireObject {
  if (customer.deleted) return { id: customer.id, object: 'customer', deleted: true }
  const invoices = store.of('invoice').ofCustomer(customer.id)
  return {
    id: customer.id,
    object: 'customer',
    address: null,
    balance: customer.balance,
    created: customer.created,
    currency: invoices[0]?.currency ?? null,
    customer_account: null,
    default_source: null,
    delinquent: invoices.some(({ status, attempted }) => status === 'open' && attempted),
    description: customer.description,
    discount: null,
    email: customer.email,
    invoice_prefix: customer.invoicePrefix,
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: customer.nextInvoiceNumber,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: customer.testClockId,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: customer.defaultPaymentMethodId,
      footer: null,
      rendering_options: null,
    },
  }
}

type NewCustomer = {
  email?: string | null
  name?: string | null
  description?: string | null
  balance?: number
  metadata?: Metadata
  testClockId?: string | null
}

/** A new customer, told of by `customer.created`. */
export function createCustomer(store: Store, given: NewCustomer): CustomerRecord {
  const { testClockId = null } = given
  const id = store.newId('cus')
  const customer = store.of('customer').put({
    id,
    created: store.now(testClockId),
    metadata: given.metadata ?? {},
    email: given.email ?? null,
    name: given.name ?? null,
    description: given.description ?? null,
    testClockId,
    defaultPaymentMethodId: null,
    balance: given.balance ?? 0,
    invoicePrefix: id.slice(-8).toUpperCase(),
    nextInvoiceNumber: 1,
    deleted: false,
  })
  store.emit('customer.created', toWireCustomer(store, customer), { testClockId })
  return customer
}

/** A customer in place of a former state of it, told of by `customer.updated` when the wire shows a difference. */
export function saveCustomer(store: Store, before: CustomerRecord, after: CustomerRecord): CustomerRecord {
  const former = toWireCustomer(store, before)
  const saved = store.of('customer').put(after)
  emitChange(store, 'customer.updated', former, toWireCustomer(store, saved), saved.testClockId)
  return saved
}

/** A customer that has not been deleted. Throws `resource_missing`; `param` names the parameter that held the id. */
export function requireCustomer(store: Store, id: string, param?: string): CustomerRecord {
  const customer = store.of('customer').get(id, param)
  if (customer.deleted) throw resourceMissing('customer', id, param)
  return customer
}

/** Returns the test clock that a customer lives by; null for the wall's time. */
export function clockOf(store: Store, customerId: string): string | null {
  return store.of('customer').find(customerId)?.testClockId ?? null
}
