import { type Endpoint, endpoint } from '../../endpoints/endpoint.ts'
import { object } from '../../protocol/params.ts'
import type { Store } from '../../store/store.ts'
import { type CustomerRecord, requireCustomer, toWireCustomer } from '../customers/customer.ts'
import { runningSubscriptions } from './subscription.ts'
import { cancelSubscription } from './subscription-status.ts'

export const customerDeletionEndpoints: Endpoint[] = [
  endpoint('DELETE', '/customers/:id', object({}), ({ store, id }) => {
    deleteCustomer(store, requireCustomer(store, id))
    return { id, object: 'customer', deleted: true }
  }),
]

/** Deletes a customer. Ends the subscriptions and removes the cards; invoices stay and aren't charged. */
function deleteCustomer(store: Store, customer: CustomerRecord): void {
  for (const { id } of runningSubscriptions(store, customer.id)) cancelSubscription(store, id)
  const invoices = store.of('invoice')
  for (const draft of invoices.ofCustomer(customer.id, ({ status }) => status === 'draft'))
    invoices.put({ ...draft, autoAdvance: false, finalizesAt: null })
  for (const { id } of store.of('paymentMethod').ofCustomer(customer.id)) store.of('paymentMethod').remove(id)
  const last = store.of('customer').get(customer.id)
  store.emit('customer.deleted', toWireCustomer(store, last), { testClockId: last.testClockId })
  store.of('customer').put({ ...last, deleted: true, defaultPaymentMethodId: null })
}
