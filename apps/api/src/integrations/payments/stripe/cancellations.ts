import type Stripe from 'stripe'
import { CustomerDeletedError, type OwnSales, type PaymentGateway } from '../payment-gateway.ts'
import { expireCheckout } from './checkout.ts'
import { listAll, pageSize, secondsOf } from './client.ts'
import { forCustomer } from './customers.ts'
import { isMissing, isRefusal } from './errors.ts'
import { disputedComment, isOwn, isShared } from './subscription-mapper.ts'

type CancellationCalls = Pick<PaymentGateway, 'cancelSubscription' | 'settleEnded' | 'cancelAll'>

export function stripeCancellations(stripe: Stripe): CancellationCalls {
  async function cancel(subscriptionId: string, details?: Stripe.SubscriptionCancelParams): Promise<void> {
    try {
      await stripe.subscriptions.cancel(subscriptionId, details)
    } catch (error) {
      // Stripe doesn't find an ended subscription.
      if (!isMissing(error)) throw error
    }
  }

  /** Voids a subscription's unpaid invoices and returns all; not settled while a payment is processing. */
  async function voidUnpaid(
    subscription: string,
  ): Promise<{ invoices: Stripe.Invoice[]; isSettled: boolean }> {
    const invoices = await listAll(stripe.invoices.list({ subscription, limit: pageSize }))
    const unpaid = invoices.filter(({ status }) => status === 'open' || status === 'uncollectible')
    let isSettled = true
    for (const { id } of unpaid) isSettled = (await isVoided(id)) && isSettled
    return { invoices, isSettled }
  }

  async function isVoided(invoiceId: string): Promise<boolean> {
    try {
      await stripe.invoices.voidInvoice(invoiceId)
      return true
    } catch (error) {
      // It was paid or voided meanwhile, or a payment is processing.
      if (!isRefusal(error)) throw error
      return false
    }
  }

  async function cancelEach(customerId: string, own: OwnSales, since: Date) {
    const sessions = await listAll(
      stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: pageSize }),
    )
    // A checkout that is paid meanwhile shows up as a subscription below.
    for (const { id, metadata } of sessions) {
      if (own.appIds.has(metadata?.app ?? '')) await expireCheckout(stripe, id)
    }
    const filter = { customer: customerId, status: 'all', limit: pageSize } as const
    const subscriptions = await listAll(
      stripe.subscriptions.list({ ...filter, expand: ['data.latest_invoice'] }),
    )
    const shared: string[] = []
    const paid: string[] = []
    for (const subscription of subscriptions.filter((one) => isOwn(one, own))) {
      const { id, ended_at: endedAt, latest_invoice: invoice } = subscription
      if (isShared(subscription, own)) {
        if (endedAt === null) shared.push(id)
        continue
      }
      if (endedAt === null) await cancel(id)
      await voidUnpaid(id)
      // Includes subscriptions that an earlier attempt has canceled.
      if (typeof invoice === 'object' && invoice !== null && paidAtOf(invoice) >= secondsOf(since))
        paid.push(invoice.id)
    }
    return { paid, shared }
  }

  return {
    async cancelSubscription(subscriptionId, reason) {
      await cancel(subscriptionId, reason && { cancellation_details: { comment: disputedComment } })
      await voidUnpaid(subscriptionId)
    },
    async settleEnded({ id, endedAt }) {
      const { invoices, isSettled } = await voidUnpaid(id)
      const paid = invoices.filter((invoice) => isPaidAfter(invoice, secondsOf(endedAt)))
      return { paidAfterEnd: paid.map((invoice) => invoice.id), isSettled }
    },
    async cancelAll(customerId, own, since) {
      try {
        return await forCustomer(stripe, customerId, () => cancelEach(customerId, own, since))
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

/** Within the same second, an invoice that was open before was paid after the end, a new one before it. */
function isPaidAfter(invoice: Stripe.Invoice, ended: number): boolean {
  const paidAt = paidAtOf(invoice)
  return paidAt > ended || (paidAt === ended && invoice.created < paidAt)
}
