import type { World } from '../../store/store.ts'
import { nextPeriodEnd } from '../price/periods.ts'
import { isSameInterval, recurringOf } from '../price/price-rules.ts'
import type {
  SchedulePhaseRecord,
  SubscriptionItemRecord,
  SubscriptionRecord,
} from '../subscription/subscription.record.ts'

type Billed = { item: SubscriptionItemRecord; billingCycleAnchor: number }

/** Returns the item in the billing period that begins at `at`, with the price that a schedule has set by then. */
export function nextPeriod(world: World, subscription: SubscriptionRecord, at: number): Billed {
  const schedule = subscription.scheduleId ? world.of('schedule').find(subscription.scheduleId) : undefined
  const phase = schedule?.phases.find((one) => isWithinPhase(one, at))
  const { item, billingCycleAnchor } = phase ? withPhase(world, subscription, phase, at) : subscription
  const end = nextPeriodEnd(billingCycleAnchor, at, recurringOf(world, item.priceId))
  return { billingCycleAnchor, item: { ...item, currentPeriodStart: at, currentPeriodEnd: end } }
}

/** Returns a subscription's item as a phase has it. Another interval counts its periods from `at`. */
export function withPhase(
  world: World,
  { item, billingCycleAnchor }: SubscriptionRecord,
  { priceId, quantity }: SchedulePhaseRecord,
  at: number,
): Billed {
  const isSame = isSameInterval(world, item.priceId, priceId)
  return { item: { ...item, priceId, quantity }, billingCycleAnchor: isSame ? billingCycleAnchor : at }
}

/** Whether a phase is in force at a time. */
export function isWithinPhase({ startDate, endDate }: SchedulePhaseRecord, at: number): boolean {
  return startDate <= at && at < endDate
}
