import type { Store } from '../../store/store.ts'
import { nextPeriodEnd } from '../price/periods.ts'
import { isSameInterval, recurringOf } from '../price/price-rules.ts'
import type {
  SchedulePhaseRecord,
  SubscriptionItemRecord,
  SubscriptionRecord,
} from '../subscription/subscription.record.ts'

type Billed = { item: SubscriptionItemRecord; billingCycleAnchor: number }

/** Returns the item in the billing period that begins at `at`, with the price that a schedule has set by then. */
export function nextPeriod(store: Store, subscription: SubscriptionRecord, at: number): Billed {
  const schedule = subscription.scheduleId ? store.of('schedule').find(subscription.scheduleId) : undefined
  const phase = schedule?.phases.find((one) => isWithinPhase(one, at))
  const { item, billingCycleAnchor } = phase ? withPhase(store, subscription, phase, at) : subscription
  const end = nextPeriodEnd(billingCycleAnchor, at, recurringOf(store, item.priceId))
  return { billingCycleAnchor, item: { ...item, currentPeriodStart: at, currentPeriodEnd: end } }
}

/** Returns a subscription's item as a phase has it. Another interval counts its periods from `at`. */
export function withPhase(
  store: Store,
  { item, billingCycleAnchor }: SubscriptionRecord,
  { priceId, quantity }: SchedulePhaseRecord,
  at: number,
): Billed {
  const isSame = isSameInterval(store, item.priceId, priceId)
  return { item: { ...item, priceId, quantity }, billingCycleAnchor: isSame ? billingCycleAnchor : at }
}

/** Whether a phase is in force at a time. */
export function isWithinPhase({ startDate, endDate }: SchedulePhaseRecord, at: number): boolean {
  return startDate <= at && at < endDate
}
