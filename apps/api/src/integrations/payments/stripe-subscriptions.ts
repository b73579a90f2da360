import type Stripe from 'stripe'
import type { PaymentGateway } from './payment-gateway.ts'
import { idOf } from './stripe-connection.ts'
import { inRoleWords, isCustomerGone, isMissing, isRefusal } from './stripe-failures.ts'
import { subscriptionParts, toSubscription } from './stripe-subscription-mapper.ts'

/** As many as Stripe answers at once. */
const pageSize = 100
/** More than anybody has. */
const most = 10_000

const wholeList = {
  status: 'all' as const,
  limit: pageSize,
  expand: subscriptionParts.map((part) => `data.${part}`),
}

/** What Stripe tells of subscriptions, and how they end. */
export function subscriptionsAt(
  stripe: Stripe,
): Pick<
  PaymentGateway,
  | 'listSubscriptions'
  | 'listAllSubscriptions'
  | 'cancelSubscription'
  | 'refundLatestInvoice'
  | 'endEverything'
  | 'isDisputed'
> {
  async function cancel(subscriptionId: string): Promise<void> {
    try {
      await stripe.subscriptions.cancel(subscriptionId)
    } catch (error) {
      // Stripe finds one that has ended no more.
      if (!isMissing(error)) throw error
    }
  }

  async function expire(sessionId: string): Promise<void> {
    try {
      await stripe.checkout.sessions.expire(sessionId)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // It was paid or has expired a moment ago. What was paid is among the subscriptions.
      const { status } = await stripe.checkout.sessions.retrieve(sessionId)
      if (status === 'open') throw error
    }
  }

  async function endAll(customerId: string): Promise<void> {
    const sessions = await stripe.checkout.sessions
      .list({ customer: customerId, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: most })
    for (const { id } of sessions) await expire(id)
    const subscriptions = await stripe.subscriptions
      .list({ customer: customerId, status: 'all', limit: pageSize })
      .autoPagingToArray({ limit: most })
    for (const { id, ended_at: endedAt } of subscriptions) if (endedAt === null) await cancel(id)
  }

  async function refund(invoiceId: string, paymentIntentId: string): Promise<void> {
    try {
      await stripe.refunds.create(
        { payment_intent: paymentIntentId },
        { idempotencyKey: `refund-${invoiceId}-${paymentIntentId}` },
      )
    } catch (error) {
      // Given back already, by us or by the bank.
      if (!isRefusal(error, 'charge_already_refunded', 'charge_disputed')) throw error
    }
  }

  return {
    async listSubscriptions(customerId) {
      try {
        const found = await stripe.subscriptions
          .list({ ...wholeList, customer: customerId })
          .autoPagingToArray({ limit: most })
        return found.map(toSubscription).reverse()
      } catch (error) {
        if (isCustomerGone(error)) return []
        throw error
      }
    },
    async *listAllSubscriptions() {
      let after: string | undefined
      do {
        const params = { ...wholeList, ...(after === undefined ? {} : { starting_after: after }) }
        const { data, has_more: hasMore } = await inRoleWords(() => stripe.subscriptions.list(params))
        yield data.map(toSubscription)
        after = hasMore ? data.at(-1)?.id : undefined
      } while (after !== undefined)
    },
    cancelSubscription: cancel,
    async refundLatestInvoice({ latestInvoice }) {
      if (latestInvoice === null) return
      const { id } = latestInvoice
      const paid = { invoice: id, status: 'paid' as const, limit: pageSize }
      const { data: payments } = await stripe.invoicePayments.list(paid)
      for (const { payment } of payments) {
        if (payment.payment_intent !== undefined) await refund(id, idOf(payment.payment_intent))
      }
    },
    async endEverything(customerId) {
      try {
        await endAll(customerId)
      } catch (error) {
        if (!isCustomerGone(error)) throw error
      }
    },
    async isDisputed(customerId) {
      for await (const { id, disputed } of stripe.charges.list({ customer: customerId, limit: pageSize })) {
        if (disputed && (await isOpenOrLost(stripe, id))) return true
      }
      return false
    },
  }
}

/** A dispute that was won, or a mere question of the bank's, takes nothing away. */
async function isOpenOrLost(stripe: Stripe, chargeId: string): Promise<boolean> {
  const { data: disputes } = await stripe.disputes.list({ charge: chargeId, limit: pageSize })
  return disputes.some(({ status }) => ['needs_response', 'under_review', 'lost'].includes(status))
}
