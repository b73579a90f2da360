import type Stripe from 'stripe'
import { CustomerDeletedError, type OwnSales, type PaymentGateway } from '../payment-gateway.ts'
import { expireCheckout } from './checkout-sessions.ts'
import { mostListed, pageSize, secondsOf } from './client.ts'
import { forCustomer } from './customers.ts'
import { isMissing, isRefusal } from './errors.ts'
import { disputedComment, isOwn, isShared } from './subscription-mapper.ts'

/** How subscriptions end, and whatever could become one. */
export function stripeCancellations(
  stripe: Stripe,
): Pick<PaymentGateway, 'cancelSubscription' | 'settleEnded' | 'cancelAll'> {
  async function cancel(subscriptionId: string, details?: Stripe.SubscriptionCancelParams): Promise<void> {
    try {
      await stripe.subscriptions.cancel(subscriptionId, details)
    } catch (error) {
      // Stripe finds one that has ended no more.
      if (!isMissing(error)) throw error
    }
  }

  /**
   * Voids what is owed for a subscription, which can be paid for even when it has ended. Returns its invoices, and whether
   * that is done: not while a payment is processing.
   */
  async function voidOwed(subscription: string): Promise<{ invoices: Stripe.Invoice[]; isSettled: boolean }> {
    const invoices = await stripe.invoices
      .list({ subscription, limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    const owed = invoices.filter(({ status }) => status === 'open' || status === 'uncollectible')
    let isSettled = true
    for (const { id } of owed) isSettled = (await isVoided(id)) && isSettled
    return { invoices, isSettled }
  }

  async function isVoided(invoiceId: string): Promise<boolean> {
    try {
      await stripe.invoices.voidInvoice(invoiceId)
      return true
    } catch (error) {
      // Paid or void by now, or a payment is processing.
      if (!isRefusal(error)) throw error
      return false
    }
  }

  async function endAll(customerId: string, own: OwnSales, since: Date) {
    const sessions = await stripe.checkout.sessions
      .list({ customer: customerId, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: mostListed })
    // One that is paid in this very moment is among the subscriptions then.
    for (const { id, metadata } of sessions) {
      if (own.appIds.has(metadata?.app ?? '')) await expireCheckout(stripe, id)
    }
    const subscriptions = await stripe.subscriptions
      .list({ customer: customerId, status: 'all', limit: pageSize, expand: ['data.latest_invoice'] })
      .autoPagingToArray({ limit: mostListed })
    const shared: string[] = []
    const paid: string[] = []
    for (const subscription of subscriptions.filter((one) => isOwn(one, own))) {
      const { id, ended_at: endedAt, latest_invoice: invoice } = subscription
      if (isShared(subscription, own)) {
        if (endedAt === null) shared.push(id)
        continue
      }
      if (endedAt === null) await cancel(id)
      await voidOwed(id)
      // Also of what an earlier try has ended already.
      if (typeof invoice === 'object' && invoice !== null && paidAtOf(invoice) >= secondsOf(since))
        paid.push(invoice.id)
    }
    return { paid, shared }
  }

  return {
    async cancelSubscription(subscriptionId, reason) {
      const details = reason && { cancellation_details: { comment: disputedComment } }
      await cancel(subscriptionId, details)
      await voidOwed(subscriptionId)
    },
    async settleEnded({ id, endedAt }) {
      const { invoices, isSettled } = await voidOwed(id)
      const paid = invoices.filter((invoice) => isPaidAfter(invoice, secondsOf(endedAt)))
      return { paidAfterEnd: paid.map((invoice) => invoice.id), isSettled }
    },
    async cancelAll(customerId, own, since) {
      try {
        return await forCustomer(stripe, customerId, () => endAll(customerId, own, since))
      } catch (error) {
        if (error instanceof CustomerDeletedError) return { paid: [], shared: [] }
        throw error
      }
    },
  }
}

function paidAtOf({ status_transitions: { paid_at: paidAt } }: Stripe.Invoice): number {
  return paidAt ?? 0
}

/** Within one second, an invoice that had been open before came after the end, and one paid at once before it. */
function isPaidAfter(invoice: Stripe.Invoice, ended: number): boolean {
  const paidAt = paidAtOf(invoice)
  return paidAt > ended || (paidAt === ended && invoice.created < paidAt)
}
