import type Stripe from 'stripe'
import type { DisputedPayments, PaymentGateway, Subscription } from './payment-gateway.ts'
import { idOf, instantOf, secondsOf } from './stripe-connection.ts'
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

  /** Of what has ended, Stripe leaves open invoices open: whoever paid one would have nothing for it. */
  async function voidOwed(owed: { customer: string } | { subscription: string }): Promise<void> {
    const invoices = await stripe.invoices
      .list({ ...owed, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: most })
    for (const { id } of invoices) await voidInvoice(id)
  }

  async function voidInvoice(id: string): Promise<void> {
    try {
      await stripe.invoices.voidInvoice(id)
    } catch (error) {
      // Paid, or void, by now.
      if (!isRefusal(error)) throw error
    }
  }

  async function expire(sessionId: string): Promise<void> {
    try {
      await stripe.checkout.sessions.expire(sessionId)
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Paid in this very moment: it is among the subscriptions now.
      if ((await stripe.checkout.sessions.retrieve(sessionId)).status === 'open') throw error
    }
  }

  /** Answers the subscriptions that could not be given back. */
  async function endAll(customerId: string, givenBackFrom: Date): Promise<string[]> {
    const sessions = await stripe.checkout.sessions
      .list({ customer: customerId, status: 'open', limit: pageSize })
      .autoPagingToArray({ limit: most })
    for (const { id } of sessions) await expire(id)
    const subscriptions = await stripe.subscriptions
      .list({ customer: customerId, status: 'all', limit: pageSize, expand: ['data.latest_invoice'] })
      .autoPagingToArray({ limit: most })
    const kept: string[] = []
    for (const { id, ended_at: endedAt, latest_invoice: invoice } of subscriptions) {
      // Before its money comes back: nobody keeps for nothing what could not be ended.
      if (endedAt === null) await cancel(id)
      // Also of what an earlier try has ended already.
      if (isPaidSince(invoice, givenBackFrom) && !(await isGivenBack(invoice.id))) kept.push(id)
    }
    await voidOwed({ customer: customerId })
    return kept
  }

  /** False when Stripe refuses to, which must not keep anybody from leaving. */
  async function isGivenBack(invoiceId: string): Promise<boolean> {
    try {
      await refundInvoice(invoiceId)
      return true
    } catch (error) {
      if (isRefusal(error) || isForbidden(error)) return false
      throw error
    }
  }

  /** Answers whether the money is back, or on its way. */
  async function refund(invoiceId: string, paymentIntentId: string): Promise<boolean> {
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

  async function refundInvoice(id: string): Promise<boolean> {
    const paid = { invoice: id, status: 'paid' as const, limit: pageSize }
    const { data: payments } = await stripe.invoicePayments.list(paid)
    const refunds: boolean[] = []
    for (const { payment } of payments) {
      if (payment.payment_intent !== undefined) refunds.push(await refund(id, idOf(payment.payment_intent)))
    }
    return refunds.includes(true)
  }

  /** When the subscription began that a charge was for; null when it was for none. */
  async function beginningOf({ payment_intent: intent }: Stripe.Charge): Promise<Date | null> {
    if (intent === null) return null
    const { data } = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: idOf(intent) },
      expand: ['data.invoice'],
    })
    const invoice = data[0]?.invoice
    const parent = typeof invoice === 'object' && 'parent' in invoice ? invoice.parent : null
    const subscription = parent?.subscription_details?.subscription
    if (!subscription) return null
    return instantOf((await stripe.subscriptions.retrieve(idOf(subscription))).created)
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
    async cancelSubscription(subscriptionId) {
      await cancel(subscriptionId)
      await voidOwed({ subscription: subscriptionId })
    },
    async refundLatestInvoice({ latestInvoice }) {
      return latestInvoice !== null && (await refundInvoice(latestInvoice.id))
    },
    async endEverything(customerId, givenBackFrom) {
      try {
        return await endAll(customerId, givenBackFrom)
      } catch (error) {
        if (isCustomerGone(error)) return []
        throw error
      }
    },
    async findDisputed(customerId) {
      const found: DisputedPayments = { open: null, lost: null }
      for await (const charge of stripe.charges.list({ customer: customerId, limit: pageSize })) {
        if (!charge.disputed) continue
        const { data: disputes } = await stripe.disputes.list({ charge: charge.id, limit: pageSize })
        if (!disputes.some(isOpenOrLost)) continue
        const began = await beginningOf(charge)
        if (disputes.some(isOpen)) found.open = laterOf(found.open, began)
        if (disputes.some(isLost)) found.lost = laterOf(found.lost, began)
      }
      return found
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

function isPaidSince(
  invoice: Stripe.Subscription['latest_invoice'],
  from: Date,
): invoice is Stripe.Invoice & { id: string } {
  if (invoice === null || typeof invoice === 'string' || invoice.id === undefined) return false
  return (invoice.status_transitions.paid_at ?? 0) >= secondsOf(from)
}

function customerOf(charge: Stripe.Dispute['charge']): string | null {
  return typeof charge === 'string' || charge.customer === null ? null : idOf(charge.customer)
}

/** A mere question of the bank's takes nothing away. */
function isOpen({ status }: Stripe.Dispute): boolean {
  return status === 'needs_response' || status === 'under_review'
}

function isOpenOrLost(dispute: Stripe.Dispute): boolean {
  return isOpen(dispute) || isLost(dispute)
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one
}

function isLost({ status }: Stripe.Dispute): boolean {
  return status === 'lost'
}
