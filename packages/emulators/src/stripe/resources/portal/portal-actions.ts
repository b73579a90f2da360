import type { Store } from '../../store/store.ts'
import type { InvoiceRecord } from '../billing/invoice.ts'
import { tryInvoice } from '../billing/pay-invoice.ts'
import { runningSubscriptions, type SubscriptionRecord } from '../billing/subscription.ts'
import { releaseSchedule } from '../billing/subscription-schedule.endpoints.ts'
import type { SchedulePhaseRecord } from '../billing/subscription-schedule.ts'
import { saveCustomer } from '../customers/customer.ts'
import {
  attachPaymentMethod,
  chargeOutcome,
  newPaymentMethod,
  setUpCard,
} from '../customers/payment-method.ts'

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

/** Returns the phase that follows the current period, if the schedule has one. */
export function pendingSwitch(
  store: Store,
  { scheduleId }: SubscriptionRecord,
): SchedulePhaseRecord | undefined {
  const schedule = scheduleId ? store.of('schedule').find(scheduleId) : undefined
  return schedule?.phases[schedule.phaseIndex + 1]
}

/** Cancels a switch that is scheduled for the period's end. */
export function cancelPendingSwitch(store: Store, { scheduleId }: SubscriptionRecord): void {
  if (scheduleId) releaseSchedule(store, scheduleId)
}
