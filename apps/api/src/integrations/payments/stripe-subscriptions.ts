import type Stripe from 'stripe'
import type { PaymentGateway, Subscription } from './payment-gateway.ts'
import { idOf, instantOf } from './stripe-connection.ts'
import { inRoleWords, isCustomerGone, isForbidden, isMissing, isRefusal } from './stripe-failures.ts'
import { onceFor } from './stripe-idempotency.ts'
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

/**
 * What Stripe tells of subscriptions, and how they end. In test mode customers may hang on test clocks, and what they
 * subscribe to is on no list but the clock's own.
 */
export function subscriptionsAt(
  stripe: Stripe,
  { isTestMode }: { isTestMode: boolean },
): Pick<
  PaymentGateway,
  | 'listSubscriptions'
  | 'listAllSubscriptions'
  | 'cancelSubscription'
  | 'refundLatestInvoice'
  | 'endEverything'
  | 'findDisputed'
  | 'listDisputed'
> {
  /** Of those that are behind with their payments, which are few, the open invoices are asked for. */
  async function readArrears(found: readonly Stripe.Subscription[]): Promise<Subscription[]> {
    const subscriptions: Subscription[] = []
    for (const subscription of found) {
      const { id, status } = subscription
      const owed = { subscription: id, status: 'open' as const, limit: pageSize }
      const isBehind = status === 'past_due' || status === 'unpaid'
      const { data } = isBehind ? await stripe.invoices.list(owed) : { data: [] }
      subscriptions.push(toSubscription(subscription, data))
    }
    return subscriptions
  }

  async function* pagesOf(filter: Stripe.SubscriptionListParams): AsyncGenerator<Subscription[]> {
    let after: string | undefined
    do {
      const params = { ...wholeList, ...filter, ...(after === undefined ? {} : { starting_after: after }) }
      const { data, has_more: hasMore } = await inRoleWords(() => stripe.subscriptions.list(params))
      yield await inRoleWords(() => readArrears(data))
      after = hasMore ? data.at(-1)?.id : undefined
    } while (after !== undefined)
  }

  async function listTestClocks(): Promise<string[]> {
    try {
      const clocks = await stripe.testHelpers.testClocks
        .list({ limit: pageSize })
        .autoPagingToArray({ limit: most })
      return clocks.map(({ id }) => id)
    } catch (error) {
      // Whoever gave the key no right to clocks uses none.
      if (isForbidden(error)) return []
      throw error
    }
  }

  async function cancel(subscriptionId: string): Promise<void> {
    try {
      await stripe.subscriptions.cancel(subscriptionId)
    } catch (error) {
      // Stripe finds one that has ended no more.
      if (!isMissing(error)) throw error
    }
  }

  /** Answers what was subscribed to on the session in the very moment in which it was to end. */
  async function expire(sessionId: string): Promise<Stripe.Subscription | null> {
    try {
      await stripe.checkout.sessions.expire(sessionId)
      return null
    } catch (error) {
      if (!isRefusal(error)) throw error
      const now = await stripe.checkout.sessions.retrieve(sessionId, { expand: ['subscription'] })
      if (now.status === 'open') throw error
      return typeof now.subscription === 'string' ? null : now.subscription
    }
  }

  async function endAll(customerId: string): Promise<void> {
    const sessions = await stripe.checkout.sessions
      .list({ customer: customerId, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: most })
    for (const { id } of sessions) {
      const paid = await expire(id)
      if (paid?.latest_invoice) await refundInvoice(idOf(paid.latest_invoice))
    }
    const subscriptions = await stripe.subscriptions
      .list({ customer: customerId, status: 'all', limit: pageSize })
      .autoPagingToArray({ limit: most })
    for (const { id, ended_at: endedAt } of subscriptions) if (endedAt === null) await cancel(id)
  }

  async function refund(invoiceId: string, paymentIntentId: string): Promise<void> {
    try {
      await onceFor(`refund-${invoiceId}-${paymentIntentId}`, (options) =>
        stripe.refunds.create({ payment_intent: paymentIntentId }, options),
      )
    } catch (error) {
      // Given back already, by us or by the bank.
      if (!isRefusal(error, 'charge_already_refunded', 'charge_disputed')) throw error
    }
  }

  async function refundInvoice(id: string): Promise<void> {
    const paid = { invoice: id, status: 'paid' as const, limit: pageSize }
    const { data: payments } = await stripe.invoicePayments.list(paid)
    for (const { payment } of payments) {
      if (payment.payment_intent !== undefined) await refund(id, idOf(payment.payment_intent))
    }
  }

  return {
    async listSubscriptions(customerId) {
      try {
        const found = await stripe.subscriptions
          .list({ ...wholeList, customer: customerId })
          .autoPagingToArray({ limit: most })
        return (await readArrears(found)).reverse()
      } catch (error) {
        if (isCustomerGone(error)) return []
        throw error
      }
    },
    async *listAllSubscriptions() {
      yield* pagesOf({})
      if (!isTestMode) return
      for (const clock of await inRoleWords(listTestClocks)) yield* pagesOf({ test_clock: clock })
    },
    cancelSubscription: cancel,
    async refundLatestInvoice({ latestInvoice }) {
      if (latestInvoice !== null) await refundInvoice(latestInvoice.id)
    },
    async endEverything(customerId) {
      try {
        await endAll(customerId)
      } catch (error) {
        if (!isCustomerGone(error)) throw error
      }
    },
    async findDisputed(customerId) {
      for await (const { id, disputed, created } of stripe.charges.list({
        customer: customerId,
        limit: pageSize,
      })) {
        if (disputed && (await hasLosableDispute(stripe, id))) return instantOf(created)
      }
      return null
    },
    async *listDisputed() {
      let after: string | undefined
      do {
        const params = {
          limit: pageSize,
          expand: ['data.charge'],
          ...(after === undefined ? {} : { starting_after: after }),
        }
        const { data, has_more: hasMore } = await inRoleWords(() => stripe.disputes.list(params))
        yield data.filter(isOpenOrLost).flatMap(({ charge }) => customerOf(charge) ?? [])
        after = hasMore ? data.at(-1)?.id : undefined
      } while (after !== undefined)
    },
  }
}

function customerOf(charge: Stripe.Dispute['charge']): string | null {
  return typeof charge === 'string' || charge.customer === null ? null : idOf(charge.customer)
}

/** A dispute that was won, or a mere question of the bank's, takes nothing away. */
function isOpenOrLost({ status }: Stripe.Dispute): boolean {
  return ['needs_response', 'under_review', 'lost'].includes(status)
}

async function hasLosableDispute(stripe: Stripe, chargeId: string): Promise<boolean> {
  const { data: disputes } = await stripe.disputes.list({ charge: chargeId, limit: pageSize })
  return disputes.some(isOpenOrLost)
}
