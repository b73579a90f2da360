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
  /** What a customer has subscribed to, by id, with when it began, in Unix seconds. */
  async function listBeginnings(customerId: string): Promise<Map<string, number>> {
    const subscriptions = await stripe.subscriptions
      .list({ customer: customerId, status: 'all', limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    return new Map(subscriptions.map(({ id, created }) => [id, created]))
  }

  /** What was paid while it opened nothing, the oldest first. */
  async function listInvoicesOfClosedTime(
    customerId: string,
    disputed: readonly DisputedPayment[],
  ): Promise<Stripe.Invoice[]> {
    const beganAt = await listBeginnings(customerId)
    const invoices = await stripe.invoices
      .list({ customer: customerId, status: 'paid', limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    return invoices.filter((invoice) => isOfClosedTime(invoice, disputed, beganAt)).reverse()
  }

  return {
    async refundLatestInvoice({ latestInvoice }) {
      return latestInvoice !== null && (await refundInvoice(stripe, latestInvoice.id)).length > 0
    },
    async refundSinceDisputed(customerId) {
      const disputed: DisputedPayment[] = []
      for await (const payment of listDisputedPayments(stripe, customerId)) disputed.push(payment)
      if (disputed.length === 0) return { back: null, refused: [] }
      const kept = new Set(disputed.map(({ paymentIntentId }) => paymentIntentId))
      const back: Stripe.InvoicePayment[] = []
      const refused: string[] = []
      for (const { id } of await listInvoicesOfClosedTime(customerId, disputed)) {
        try {
          back.push(...(await refundInvoice(stripe, id, kept)))
        } catch (error) {
          // One keeps no other from coming back.
          if (!isGivingRefused(error)) throw error
          refused.push(id)
        }
      }
      return { back: sumOf(back), refused }
    },
  }
}

/** Whether an invoice was paid since the first dispute that closes its subscription: of itself, or of a newer one. */
function isOfClosedTime(
  invoice: Stripe.Invoice,
  disputed: readonly DisputedPayment[],
  beganAt: ReadonlyMap<string, number>,
): boolean {
  const subscription = invoice.parent?.subscription_details?.subscription
  const began = subscription ? beganAt.get(idOf(subscription)) : undefined
  if (began === undefined) return false
  const closedAt = disputed
    .filter(({ subscriptionId }) => (beganAt.get(subscriptionId) ?? 0) >= began)
    .flatMap(({ disputes }) => disputes.map(({ created }) => created))
  return closedAt.length > 0 && isPaidSince(invoice, instantOf(Math.min(...closedAt)))
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
