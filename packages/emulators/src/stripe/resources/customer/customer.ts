import { resourceMissing } from '../../protocol/errors.ts'
import type { Metadata } from '../../store/common.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { World } from '../../store/store.ts'
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
export function createCustomer(world: World, given: NewCustomer): CustomerRecord {
  const { testClockId = null } = given
  const id = world.newId('cus')
  const customer = world.of('customer').put({
    id,
    created: world.now(testClockId),
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
  world.emit('customer.created', toWireCustomer(world, customer), { testClockId })
  return customer
}

/** A customer in place of a former state of it, told of by `customer.updated` when the wire shows a difference. */
export function saveCustomer(world: World, before: CustomerRecord, after: CustomerRecord): CustomerRecord {
  const former = toWireCustomer(world, before)
  const saved = world.of('customer').put(after)
  emitChange(world, 'customer.updated', former, toWireCustomer(world, saved), saved.testClockId)
  return saved
}

/** A customer that has not been deleted. Throws `resource_missing`; `param` names the parameter that held the id. */
export function requireCustomer(world: World, id: string, param?: string): CustomerRecord {
  const customer = world.of('customer').get(id, param)
  if (customer.deleted) throw resourceMissing('customer', id, param)
  return customer
}
