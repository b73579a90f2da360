import { resourceMissing } from '../../protocol/errors.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { Store } from '../../store/store.ts'
import type { CustomerRecord } from './customer.record.ts'
import { toWireCustomer } from './customer.wire.ts'

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
