import type { Store } from '../../store/store.ts'
import { saveCustomer } from '../customer/customer.ts'
import type { InvoiceRecord } from '../invoice/invoice.ts'
import { tryInvoice } from '../invoice/pay-invoice.ts'
import {
  attachPaymentMethod,
  chargeOutcome,
  newPaymentMethod,
  setUpCard,
} from '../payment-method/payment-method.ts'
import { nextPeriodEnd } from '../price/periods.ts'
import { type PriceRecord, recurringOf } from '../price/price.ts'
import { changeSubscription, previewChange } from '../subscription/change-subscription.ts'
import type { SubscriptionChange } from '../subscription/plan-change.ts'
import { runningSubscriptions, type SubscriptionRecord } from '../subscription/subscription.ts'
import {
  releaseSchedule,
  scheduleOfSubscription,
  updateSchedule,
} from '../subscription-schedule/subscription-schedule.endpoints.ts'
import type { SchedulePhaseRecord } from '../subscription-schedule/subscription-schedule.ts'
import type { PortalConfigurationRecord } from './portal-configuration.ts'

type CardChange =
  | { kind: 'saved'; cardId: string; paid: InvoiceRecord[]; refused: string | null }
  | { kind: 'needs-authentication' }

/** Returns the unpaid invoices of a customer's running subscriptions. */
export function openInvoices(store: Store, customerId: string): InvoiceRecord[] {
  const running = new Set(runningSubscriptions(store, customerId).map(({ id }) => id))
  return store
    .of('invoice')
    .ofCustomer(
      customerId,
      ({ status, subscriptionId, amountRemaining }) =>
        status === 'open' && amountRemaining > 0 && running.has(subscriptionId),
    )
}

/**
 * Saves a card as the customer's default and pays open invoices. A subscription's own card stays, as at Stripe.
 * Throws for a card that can't be saved.
 */
export function changeCard(
  store: Store,
  customerId: string,
  cardNumber: string,
  { isAuthenticated }: { isAuthenticated: boolean },
): CardChange {
  const card = newPaymentMethod(store, cardNumber)
  if (chargeOutcome(card, { isAuthenticated }).kind === 'needs-authentication') {
    store.of('paymentMethod').remove(card.id)
    return { kind: 'needs-authentication' }
  }
  setUpCard(store, attachPaymentMethod(store, card.id, customerId))
  const customer = store.of('customer').get(customerId)
  saveCustomer(store, customer, { ...customer, defaultPaymentMethodId: card.id })
  const tries = openInvoices(store, customerId).map(({ id }) =>
    tryInvoice(store, id, { paymentMethodId: card.id, isAuthenticated }),
  )
  const refusals = tries.flatMap(({ answer }) => (answer.kind === 'declined' ? [answer.message] : []))
  const paid = tries.filter(({ answer }) => answer.kind === 'paid').map(({ invoice }) => invoice)
  return { kind: 'saved', cardId: card.id, paid, refused: refusals[0] ?? null }
}

export type PlanSwitch = { priceId: string; quantity: number }

/** When a switch takes effect, and its cost. */
export type PlanSwitchTerms =
  | { when: 'now'; invoice: InvoiceRecord; isPaidNow: boolean }
  | { when: 'period-end'; at: number }

/** Returns the prices that a portal offers for a subscription, in the configured order, without the current one. */
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

/** Returns the phase that follows the current period, if the schedule has one. */
export function pendingSwitch(
  store: Store,
  { scheduleId }: SubscriptionRecord,
): SchedulePhaseRecord | undefined {
  const schedule = scheduleId ? store.of('schedule').find(scheduleId) : undefined
  return schedule?.phases[schedule.phaseIndex + 1]
}

/** Returns the terms of a switch. Throws when it can't be billed. */
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
 * Switches at once and charges, or schedules the switch for the period's end. Throws the decline, with nothing
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
  // After the charge, so that a decline leaves the pending switch.
  cancelPendingSwitch(store, subscription)
}

/** Cancels a switch that is scheduled for the period's end. */
export function cancelPendingSwitch(store: Store, { scheduleId }: SubscriptionRecord): void {
  if (scheduleId) releaseSchedule(store, scheduleId)
}

/** Schedules the current period, then one period of the new plan. */
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

/** Returns whether the configuration delays the switch. A trial is never delayed. */
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
