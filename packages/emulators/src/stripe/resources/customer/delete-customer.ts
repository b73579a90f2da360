import { object } from '../../protocol/params.ts'
import type { World } from '../../store/store.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { cancelSubscription } from '../subscription/cancel.ts'
import { runningSubscriptions } from '../subscription/running-subscriptions.ts'
import type { CustomerRecord } from './customer.record.ts'
import { requireCustomer } from './customer.ts'
import { toWireCustomer } from './customer.wire.ts'

/**
 * Deletes a customer for good: subscriptions end at once and cards are forgotten; invoices and charges stay.
 */
export function deleteCustomer(world: World, customer: CustomerRecord): void {
  for (const { id } of runningSubscriptions(world, customer.id)) cancelSubscription(world, id)
  for (const { id } of world.of('paymentMethod').ofCustomer(customer.id)) world.of('paymentMethod').remove(id)
  const last = world.of('customer').get(customer.id)
  world.emit('customer.deleted', toWireCustomer(world, last), { testClockId: last.testClockId })
  world.of('customer').put({ ...last, deleted: true, defaultPaymentMethodId: null })
}

export const customerDeletion: Endpoint = endpoint(
  'DELETE',
  '/customers/:id',
  object({}),
  ({ world, id }) => {
    deleteCustomer(world, requireCustomer(world, id))
    return { id, object: 'customer', deleted: true }
  },
)
