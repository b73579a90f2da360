import type {
  SchedulePhaseRecord,
  ScheduleRecord,
  SubscriptionItemRecord,
  SubscriptionRecord,
} from '../records/subscription.ts'
import type { World } from '../world/world.ts'
import { isSameInterval, recurringOf } from './price-rules.ts'

/**
 * The items with which a period goes on at `at`: those of the schedule's phase that begins by then, else the ones it
 * has. An interval that changes counts its periods from `at`.
 */
export function itemsAtPeriodEnd(
  world: World,
  subscription: SubscriptionRecord,
  at: number,
): { items: SubscriptionItemRecord[]; billingCycleAnchor: number } {
  const schedule = subscription.scheduleId ? world.of('schedule').find(subscription.scheduleId) : undefined
  const phase = schedule?.status === 'active' ? phaseAt(schedule, at) : undefined
  if (!phase) return subscription
  return phaseItems(world, subscription, phase, at)
}

/** A subscription's items as a phase has them, in the period they are in. */
export function phaseItems(
  world: World,
  subscription: SubscriptionRecord,
  phase: SchedulePhaseRecord,
  at: number,
): { items: SubscriptionItemRecord[]; billingCycleAnchor: number } {
  const [first] = subscription.items
  const items = phase.items.map(({ priceId, quantity }, index) => {
    const same = subscription.items.find((item) => item.priceId === priceId) ?? subscription.items[index]
    return {
      id: same?.id ?? world.newId('si'),
      created: same?.created ?? at,
      metadata: same?.metadata ?? {},
      priceId,
      quantity,
      currentPeriodStart: first?.currentPeriodStart ?? at,
      currentPeriodEnd: first?.currentPeriodEnd ?? at,
    }
  })
  const isSame = isSameInterval(recurringOf(world, items), recurringOf(world, subscription.items))
  return { items, billingCycleAnchor: isSame ? subscription.billingCycleAnchor : at }
}

function phaseAt({ phases }: ScheduleRecord, at: number) {
  return phases.find((phase) => isWithinPhase(phase, at))
}

/** Whether a phase is in force at a time. */
export function isWithinPhase({ startDate, endDate }: SchedulePhaseRecord, at: number): boolean {
  return startDate <= at && at < endDate
}
