import type Stripe from 'stripe'
import type { PaymentGateway } from '../payment-gateway.ts'
import { idOf, pageSize, secondsOf } from './connection.ts'
import { isForbidden, isRefusal } from './failures.ts'
import { onceFor } from './idempotency.ts'

/** How what was paid comes back. */
export function refundsAt(stripe: Stripe): Pick<PaymentGateway, 'refundLatestInvoice'> {
  return {
    async refundLatestInvoice({ latestInvoice }) {
      return latestInvoice !== null && (await refundInvoice(stripe, latestInvoice.id))
    },
  }
}

/** Gives back what an invoice was paid with; answers whether anything is back, or on its way, also by an earlier call. */
export async function refundInvoice(stripe: Stripe, invoiceId: string): Promise<boolean> {
  const paid = { invoice: invoiceId, status: 'paid' as const, limit: pageSize }
  const { data: payments } = await stripe.invoicePayments.list(paid)
  let isBack = false
  for (const { payment } of payments) {
    if (payment.payment_intent === undefined) continue
    isBack = (await refund(stripe, invoiceId, idOf(payment.payment_intent))) || isBack
  }
  return isBack
}

/** Whether Stripe does not give something back, or the key may not, as long as nobody does it by hand. */
export function isGivingRefused(error: unknown): boolean {
  return isRefusal(error) || isForbidden(error)
}

/** Whether an invoice was paid at an instant or after it. */
export function isPaidSince(
  { status_transitions: { paid_at: paidAt } }: Stripe.Invoice,
  from: Date,
): boolean {
  return (paidAt ?? 0) >= secondsOf(from)
}

/** Answers whether the money is back, or on its way. */
async function refund(stripe: Stripe, invoiceId: string, paymentIntentId: string): Promise<boolean> {
  try {
    await onceFor(`refund-${invoiceId}-${paymentIntentId}`, (options) =>
      stripe.refunds.create({ payment_intent: paymentIntentId }, options),
    )
    return true
  } catch (error) {
    if (isRefusal(error, 'charge_already_refunded')) return true
    // The bank has it, and decides.
    if (isRefusal(error, 'charge_disputed')) return false
    throw error
  }
}
