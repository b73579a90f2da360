import type { Store } from '../../store/store.ts'
import type { InvoiceRecord } from '../invoice/invoice.ts'
import { nextPeriodEnd } from '../price/periods.ts'
import { type PriceRecord, recurringOf } from '../price/price.ts'
import { changeSubscription, previewChange } from '../subscription/change-subscription.ts'
import type { SubscriptionChange } from '../subscription/plan-change.ts'
import type { SubscriptionRecord } from '../subscription/subscription.ts'
import {
  releaseSchedule,
  scheduleOfSubscription,
  updateSchedule,
} from '../subscription-schedule/subscription-schedule.rules.ts'
import type { SchedulePhaseRecord } from '../subscription-schedule/subscription-schedule.ts'
import type { PortalConfigurationRecord } from './portal-configuration.ts'

/** What a subscription is to become. */
export type PlanSwitch = { priceId: string; quantity: number }

/** When a switch happens, and what it costs then. */
export type PlanSwitchTerms =
  | { when: 'now'; invoice: InvoiceRecord; isPaidNow: boolean }
  | { when: 'period-end'; at: number }

/** Returns the prices that a portal offers for a subscription, in the configuration's order, without the present one. */
export function offeredPrices(
  store: Store,
  { products }: PortalConfigurationRecord,
  { item }: SubscriptionRecord,
): PriceRecord[] {
  const present = store.of('price').get(item.priceId)
  return products
    .flatMap(({ priceIds }) => priceIds)
    .flatMap((id) => store.of('price').find(id) ?? [])
    .filter(({ id, active, currency }) => active && currency === present.currency && id !== present.id)
}

/** Returns the phase that a subscription changes to at the end of its period, if its schedule has one. */
export function pendingSwitch(
  store: Store,
  { scheduleId }: SubscriptionRecord,
): SchedulePhaseRecord | undefined {
  const schedule = scheduleId ? store.of('schedule').find(scheduleId) : undefined
  return schedule?.phases[schedule.phaseIndex + 1]
}

/** Works out what a switch would come to. Throws for what cannot be billed. */
export function switchTerms(
  store: Store,
  configuration: PortalConfigurationRecord,
  subscription: SubscriptionRecord,
  wanted: PlanSwitch,
): PlanSwitchTerms {
  if (waitsForPeriodEnd(store, configuration, subscription, wanted)) {
    return { when: 'period-end', at: subscription.item.currentPeriodEnd }
  }
  const invoice = previewChange(store, subscription.id, changeTo(subscription, wanted))
  return { when: 'now', invoice, isPaidNow: invoice.billingReason !== 'upcoming' }
}

/**
 * Switches: at once, charging what is due, or by a schedule at the period's end. Throws the card's refusal, with nothing
 * changed.
 */
export function switchPlan(
  store: Store,
  configuration: PortalConfigurationRecord,
  subscription: SubscriptionRecord,
  wanted: PlanSwitch,
): void {
  if (waitsForPeriodEnd(store, configuration, subscription, wanted)) {
    cancelPendingSwitch(store, subscription)
    switchAtPeriodEnd(store, subscription, wanted)
    return
  }
  const change = changeTo(subscription, wanted)
  changeSubscription(store, subscription.id, { ...change, paymentBehavior: 'error_if_incomplete' })
  // Only now, so that a refusal leaves what was waiting as it was.
  cancelPendingSwitch(store, subscription)
}

/** Takes back a switch that waits for the period's end. */
export function cancelPendingSwitch(store: Store, { scheduleId }: SubscriptionRecord): void {
  if (scheduleId) releaseSchedule(store, scheduleId)
}

/** The present period as it is, then one period of what is wanted; then the subscription goes on by itself. */
function switchAtPeriodEnd(store: Store, { id }: SubscriptionRecord, wanted: PlanSwitch) {
  const schedule = scheduleOfSubscription(store, id)
  const [current] = schedule.phases
  if (!current) return
  const startDate = current.endDate
  const endDate = nextPeriodEnd(startDate, startDate, recurringOf(store, wanted.priceId))
  const next = { ...current, ...wanted, startDate, endDate, prorationBehavior: 'none' as const }
  updateSchedule(store, schedule.id, { ...schedule, phases: [current, next] })
}

function changeTo({ item, status }: SubscriptionRecord, wanted: PlanSwitch): SubscriptionChange {
  return {
    item: { id: item.id, ...wanted },
    prorationBehavior: 'always_invoice',
    endsTrial: status === 'trialing' || undefined,
  }
}

/** Whether one of the configuration's conditions puts the switch off. A trial has nothing to wait for. */
function waitsForPeriodEnd(
  store: Store,
  { scheduleConditions: conditions }: PortalConfigurationRecord,
  { item, status }: SubscriptionRecord,
  { priceId, quantity }: PlanSwitch,
): boolean {
  if (status === 'trialing') return false
  const [before, after] = [store.of('price').get(item.priceId), store.of('price').get(priceId)]
  const isLess = after.unitAmount * quantity < before.unitAmount * item.quantity
  return (
    (conditions.includes('decreasing_item_amount') && isLess) ||
    (conditions.includes('shortening_interval') && monthsOf(after) < monthsOf(before))
  )
}

function monthsOf({ recurring }: PriceRecord) {
  return recurring ? (recurring.interval === 'year' ? 12 : 1) * recurring.intervalCount : 0
}
