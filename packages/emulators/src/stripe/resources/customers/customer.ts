import { resourceMissing } from '../../protocol/errors.ts'
import type { Metadata } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { type Common, emitChange, type Store } from '../../store/store.ts'
import { type DiscountRecord, toWireDiscount } from '../products/discount.ts'

export type CustomerRecord = Common & {
  email: string | null
  name: string | null
  description: string | null
  phone: string | null
  address: WireObject | null
  shipping: WireObject | null
  testClockId: string | null
  /** `invoice_settings.default_payment_method`. */
  defaultPaymentMethodId: string | null
  /** Negative: credit for the next invoices. */
  balance: number
  invoicePrefix: string
  nextInvoiceNumber: number
  deleted: boolean
  /** Applies to subscriptions without discounts. */
  discount?: DiscountRecord | null
}

declare module '../../store/store.ts' {
  interface Records {
    customer: CustomerRecord
  }
}

export const noAddress = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
}

export function toWireCustomer(store: Store, customer: CustomerRecord): WireObject {
  if (customer.deleted) return { id: customer.id, object: 'customer', deleted: true }
  const invoices = store.of('invoice').ofCustomer(customer.id)
  return {
    id: customer.id,
    object: 'customer',
    address: customer.address && { ...noAddress, ...customer.address },
    balance: customer.balance,
    created: customer.created,
    currency: invoices[0]?.currency ?? null,
    customer_account: null,
    default_source: null,
    delinquent: invoices.some(({ status, attempted }) => status === 'open' && attempted),
    description: customer.description,
    discount: customer.discount
      ? toWireDiscount(store, customer.discount, { customerId: customer.id })
      : null,
    email: customer.email,
    invoice_prefix: customer.invoicePrefix,
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: customer.nextInvoiceNumber,
    phone: customer.phone,
    preferred_locales: [],
    shipping: customer.shipping,
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
  phone?: string | null
  address?: WireObject | null
  shipping?: WireObject | null
  balance?: number
  metadata?: Metadata
  testClockId?: string | null
}

/** Creates a customer and emits `customer.created`. */
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
    phone: given.phone ?? null,
    address: given.address ?? null,
    shipping: given.shipping ?? null,
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

/** Stores a customer and emits `customer.updated` if the wire form changed. */
export function saveCustomer(store: Store, before: CustomerRecord, after: CustomerRecord): CustomerRecord {
  const former = toWireCustomer(store, before)
  const saved = store.of('customer').put(after)
  emitChange(store, 'customer.updated', former, toWireCustomer(store, saved), saved.testClockId)
  return saved
}

/** Returns a customer that is not deleted. Throws `resource_missing`; `param` held the id. */
export function requireCustomer(store: Store, id: string, param?: string): CustomerRecord {
  const customer = store.of('customer').get(id, param)
  if (customer.deleted) throw resourceMissing('customer', id, param)
  return customer
}

/** Returns a customer's test clock; null for the wall clock. */
export function clockOf(store: Store, customerId: string): string | null {
  return store.of('customer').find(customerId)?.testClockId ?? null
}
