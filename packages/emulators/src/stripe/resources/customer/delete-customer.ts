import { object } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { cancelSubscription } from '../subscription/cancel.ts'
import { runningSubscriptions } from '../subscription/running-subscriptions.ts'
import type { CustomerRecord } from './customer.record.ts'
import { requireCustomer } from './customer.ts'
import { toWireCustomer } from './customer.wire.ts'

/**
 * Deletes a customer for good: subscriptions end at once and cards are forgotten; invoices and charges stay.
 */
export function deleteCustomer(store: Store, customer: CustomerRecord): void {
  for (const { id } of runningSubscriptions(store, customer.id)) cancelSubscription(store, id)
  for (const { id } of store.of('paymentMethod').ofCustomer(customer.id)) store.of('paymentMethod').remove(id)
  const last = store.of('customer').get(customer.id)
  store.emit('customer.deleted', toWireCustomer(store, last), { testClockId: last.testClockId })
  store.of('customer').put({ ...last, deleted: true, defaultPaymentMethodId: null })
}

export const customerDeletion: Endpoint = endpoint(
  'DELETE',
  '/customers/:id',
  object({}),
  ({ store, id }) => {
    deleteCustomer(store, requireCustomer(store, id))
    return { id, object: 'customer', deleted: true }
  },
)
