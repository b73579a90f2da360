import type Stripe from 'stripe'
import type { Money, PaymentGateway } from '../payment-gateway.ts'
import { idOf, instantOf, mostListed, pageSize, secondsOf } from './connection.ts'
import { type DisputedPayment, listDisputedPayments } from './disputes.ts'
import { isForbidden, isRefusal } from './failures.ts'
import { onceFor } from './idempotency.ts'

/** How what was paid comes back. */
export function refundsAt(
  stripe: Stripe,
): Pick<PaymentGateway, 'refundLatestInvoice' | 'refundSinceDisputed'> {
  async function listDisputedOf(subscriptionId: string, customerId: string): Promise<DisputedPayment[]> {
    const found: DisputedPayment[] = []
    for await (const payment of listDisputedPayments(stripe, customerId)) {
      if (payment.subscriptionId === subscriptionId) found.push(payment)
    }
    return found
  }

  /** The oldest first. */
  async function listInvoicesPaidSince(subscriptionId: string, from: Date): Promise<Stripe.Invoice[]> {
    const invoices = await stripe.invoices
      .list({ subscription: subscriptionId, status: 'paid', limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    return invoices.filter((invoice) => isPaidSince(invoice, from)).reverse()
  }

  /** What Stripe refuses of one invoice keeps no other from coming back; the first refusal is thrown at the end. */
  async function refundInvoices(
    invoices: readonly Stripe.Invoice[],
    kept: ReadonlySet<string>,
  ): Promise<Stripe.InvoicePayment[]> {
    const back: Stripe.InvoicePayment[] = []
    const refusals: unknown[] = []
    for (const { id } of invoices) {
      try {
        back.push(...(await refundInvoice(stripe, id, kept)))
      } catch (error) {
        if (!isGivingRefused(error)) throw error
        refusals.push(error)
      }
    }
    if (refusals.length > 0) throw refusals[0]
    return back
  }

  return {
    async refundLatestInvoice({ latestInvoice }) {
      return latestInvoice !== null && (await refundInvoice(stripe, latestInvoice.id)).length > 0
    },
    async refundSinceDisputed({ id, customerId }) {
      const disputed = await listDisputedOf(id, customerId)
      if (disputed.length === 0) return null
      const times = disputed.flatMap(({ disputes }) => disputes.map(({ created }) => created))
      const invoices = await listInvoicesPaidSince(id, instantOf(Math.min(...times)))
      const kept = new Set(disputed.map(({ paymentIntentId }) => paymentIntentId))
      return sumOf(await refundInvoices(invoices, kept))
    },
  }
}

/**
 * Gives back what an invoice was paid with, but for the payment intents that are `kept`; answers the payments that are
 * back, or on their way, also since an earlier call.
 */
export async function refundInvoice(
  stripe: Stripe,
  invoiceId: string,
  kept: ReadonlySet<string> = new Set(),
): Promise<Stripe.InvoicePayment[]> {
  const paid = { invoice: invoiceId, status: 'paid' as const, limit: pageSize }
  const { data: payments } = await stripe.invoicePayments.list(paid)
  const back: Stripe.InvoicePayment[] = []
  for (const one of payments) {
    if (one.payment.payment_intent === undefined) continue
    const paymentIntentId = idOf(one.payment.payment_intent)
    if (!kept.has(paymentIntentId) && (await refund(stripe, invoiceId, paymentIntentId))) back.push(one)
  }
  return back
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

/** A subscription keeps its currency. Null for no payment. */
function sumOf(payments: readonly Stripe.InvoicePayment[]): Money | null {
  const [first] = payments
  if (first === undefined) return null
  const amount = payments.reduce((sum, { amount_paid: paid }) => sum + (paid ?? 0), 0)
  return { amount, currency: first.currency }
}
