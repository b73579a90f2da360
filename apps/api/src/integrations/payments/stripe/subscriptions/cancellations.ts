import type Stripe from 'stripe'
import { CustomerDeletedError } from '#integrations/payments/gateway-errors.ts'
import type { OwnSales, PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { listAll, pageSize, secondsOf } from '../client/client.ts'
import { forCustomer, isMissing } from '../client/errors.ts'
import { expireCheckout } from './checkout.ts'
import { stripeEndedInvoices } from './ended-invoices.ts'
import { disputedComment, isOwn, isOwnCheckout, isShared } from './subscription-mapper.ts'

type CancellationCalls = Pick<PaymentGateway, 'cancelSubscription' | 'settleEnded' | 'cancelAll'>

export function stripeCancellations(stripe: Stripe): CancellationCalls {
  const { closeUnpaid, returnCredit } = stripeEndedInvoices(stripe)

  async function cancel(subscriptionId: string, details?: Stripe.SubscriptionCancelParams): Promise<void> {
    try {
      await stripe.subscriptions.cancel(subscriptionId, details)
    } catch (error) {
      // Stripe doesn't find an ended subscription.
      if (!isMissing(error)) throw error
    }
  }

  async function cancelEach(customerId: string, own: OwnSales, since: Date) {
    const open = { customer: customerId, status: 'open' as const, limit: pageSize }
    const sessions = await listAll(stripe.checkout.sessions.list({ ...open, expand: ['data.line_items'] }))
    // A checkout that is paid meanwhile shows up as a subscription below.
    for (const session of sessions) {
      if (isOwnCheckout(session, own)) await expireCheckout(stripe, session.id)
    }
    const filter = { customer: customerId, status: 'all', limit: pageSize } as const
    const subscriptions = await listAll(stripe.subscriptions.list(filter))
    const shared: string[] = []
    const paid: string[] = []
    let isSettled = true
    for (const subscription of subscriptions.filter((one) => isOwn(one, own))) {
      const { id, ended_at: endedAt } = subscription
      if (isShared(subscription, own)) {
        if (endedAt === null) shared.push(id)
        continue
      }
      if (endedAt === null) await cancel(id)
      const closed = await closeUnpaid(id)
      isSettled = isSettled && closed.isSettled
      // Includes subscriptions that an earlier attempt has canceled.
      paid.push(...closed.invoices.filter((one) => isPaidSince(one, secondsOf(since))).map((one) => one.id))
    }
    return { paid, shared, isSettled }
  }

  return {
    async cancelSubscription(subscriptionId, reason) {
      await cancel(subscriptionId, reason && { cancellation_details: { comment: disputedComment } })
      await closeUnpaid(subscriptionId)
    },
    async settleEnded({ id, endedAt }) {
      const { invoices, ...closed } = await closeUnpaid(id)
      const late = invoices.filter((invoice) => isPaidAfter(invoice, secondsOf(endedAt)))
      let { isSettled } = closed
      for (const invoice of late) isSettled = (await returnCredit(invoice)) && isSettled
      const paidAfterEnd = late.filter(({ amount_paid: amount }) => amount > 0).map((invoice) => invoice.id)
      return { paidAfterEnd, isSettled }
    },
    async cancelAll(customerId, own, since) {
      try {
        return await forCustomer(stripe, customerId, () => cancelEach(customerId, own, since))
      } catch (error) {
        if (error instanceof CustomerDeletedError) return { paid: [], shared: [], isSettled: true }
        throw error
      }
    },
  }
}

function paidAtOf({ status_transitions: { paid_at: paidAt } }: Stripe.Invoice): number {
  return paidAt ?? 0
}

function isPaidSince(invoice: Stripe.Invoice, since: number): boolean {
  return invoice.amount_paid > 0 && paidAtOf(invoice) >= since
}

/** Within the same second, an invoice that was open before was paid after the end, a new one before it. */
function isPaidAfter(invoice: Stripe.Invoice, ended: number): boolean {
  const paidAt = paidAtOf(invoice)
  return paidAt > ended || (paidAt === ended && invoice.created < paidAt)
}
