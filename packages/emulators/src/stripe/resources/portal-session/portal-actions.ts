import type { Store } from '../../store/store.ts'
import { saveCustomer } from '../customer/customer.ts'
import type { InvoiceRecord } from '../invoice/invoice.ts'
import { tryInvoice } from '../invoice/pay-invoice.ts'
import { chargeOutcome } from '../payment-intent/payment-intent.ts'
import { attachPaymentMethod, newPaymentMethod, setUpCard } from '../payment-method/payment-method.ts'
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

export type CardChange =
  | { kind: 'saved'; cardId: string; paid: InvoiceRecord[]; refused: string | null }
  | { kind: 'needs-authentication' }

/** What running subscriptions of a customer owe. */
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
 * Saves a card as the customer's default one, and pays what is open with it. A subscription's own card stays, as at Stripe.
 * Throws the refusal of a card that cannot be saved.
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
