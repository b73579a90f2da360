import type { DiscountRecord, ScheduleRecord, SubscriptionRecord } from '../records.ts'
import { toWireDiscount } from '../wire/discount.ts'
import { toWireSchedule, toWireSubscription } from '../wire/subscription.ts'
import type { WireObject } from '../wire.ts'
import type { World } from '../world.ts'

/** Puts the subscription with these fields changed, and tells of it if that shows on the wire. */
export function updateSubscription(
  world: World,
  id: string,
  patch: Partial<SubscriptionRecord>,
  type = 'customer.subscription.updated',
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const earlier = toWireSubscription(world, before)
  const subscription = world.of('subscription').put({ ...before, ...patch })
  tellOfChange(world, type, earlier, toWireSubscription(world, subscription), subscription.testClockId)
  tellOfDiscounts(world, before, subscription)
  return subscription
}

/** Tells of the discounts that came and of those that went. */
export function tellOfDiscounts(
  world: World,
  before: Pick<SubscriptionRecord, 'discounts'>,
  { id, customerId, discounts, testClockId }: SubscriptionRecord,
): void {
  const tell = (type: string, some: DiscountRecord[], others: DiscountRecord[]) => {
    for (const discount of some.filter((one) => !others.some((other) => other.id === one.id))) {
      const wire = toWireDiscount(world, discount, { customerId, subscriptionId: id })
      world.emit(type, wire, { testClockId })
    }
  }
  tell('customer.discount.deleted', before.discounts, discounts)
  tell('customer.discount.created', discounts, before.discounts)
}

/** Tells of what is otherwise than before, with the earlier values; of nothing when nothing is. */
export function tellOfChange(
  world: World,
  type: string,
  earlier: WireObject,
  now: WireObject,
  testClockId: string | null,
): void {
  const previous = Object.fromEntries(
    Object.entries(earlier).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(now[field])),
  )
  if (Object.keys(previous).length > 0) world.emit(type, now, { previous, testClockId })
}

/**
 * Ends a subscription for good: `customer.subscription.deleted`. Its open invoices are no longer collected by
 * themselves and its schedule is cancelled. `reason` is Stripe's: `cancellation_requested`, `payment_failed`.
 */
export function endSubscription(
  world: World,
  id: string,
  { reason, comment, feedback }: { reason: string; comment?: string | null; feedback?: string | null },
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const now = world.now(before.testClockId)
  for (const invoice of world
    .of('invoice')
    .ofCustomer(before.customerId, (one) => one.subscriptionId === id)) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    world.of('invoice').put({ ...invoice, autoAdvance: false, nextPaymentAttempt: null })
  }
  if (before.scheduleId) cancelScheduleRecord(world, before.scheduleId)
  const subscription = world.of('subscription').put({
    ...before,
    status: 'canceled',
    endedAt: now,
    canceledAt: before.canceledAt ?? now,
    cancellation: {
      comment: comment ?? before.cancellation.comment,
      feedback: feedback ?? before.cancellation.feedback,
      reason: before.cancellation.reason ?? reason,
    },
    pendingUpdate: null,
  })
  world.emit('customer.subscription.deleted', toWireSubscription(world, subscription), {
    testClockId: subscription.testClockId,
  })
  return subscription
}

/** Puts a schedule and tells of it. */
export function putSchedule(world: World, schedule: ScheduleRecord, type: string): ScheduleRecord {
  world.of('schedule').put(schedule)
  world.emit(type, toWireSchedule(world, schedule), { testClockId: schedule.testClockId })
  return schedule
}

function cancelScheduleRecord(world: World, id: string) {
  const schedule = world.of('schedule').get(id)
  if (schedule.status !== 'active' && schedule.status !== 'not_started') return
  const canceledAt = world.now(schedule.testClockId)
  putSchedule(world, { ...schedule, status: 'canceled', canceledAt }, 'subscription_schedule.canceled')
}
