import { cancelSubscription } from '../billing/cancel.ts'
import type { CustomerRecord } from '../records.ts'
import { toWireCustomer } from '../wire/customer.ts'
import type { World } from '../world.ts'

/** Deletes a customer for good: subscriptions end at once, cards are forgotten; invoices and charges stay. */
export function deleteCustomer(world: World, customer: CustomerRecord): void {
  const living = world.of('subscription').ofCustomer(customer.id, ({ endedAt }) => endedAt === null)
  for (const { id } of living) cancelSubscription(world, id)
  for (const { id } of world.of('paymentMethod').ofCustomer(customer.id)) world.of('paymentMethod').remove(id)
  const last = world.of('customer').get(customer.id)
  world.emit('customer.deleted', toWireCustomer(world, last), { testClockId: last.testClockId })
  world.of('customer').put({ ...last, deleted: true })
}
