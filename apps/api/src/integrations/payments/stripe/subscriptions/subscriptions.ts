import type Stripe from 'stripe'
import { CustomerDeletedError } from '#integrations/payments/gateway-errors.ts'
import type { OwnSales, PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import { listAll, listPages, pageSize } from '../client/client.ts'
import { forCustomer, isForbidden, translateErrors } from '../client/errors.ts'
import { expandedParts, isOwn, toSubscription } from './subscription-mapper.ts'

const listParams = {
  status: 'all' as const,
  limit: pageSize,
  expand: expandedParts.map((part) => `data.${part}`),
}

/** In test mode, a customer's subscriptions may be listed only under their test clock. */
export function stripeSubscriptions(
  stripe: Stripe,
  { isTestMode }: { isTestMode: boolean },
): Pick<PaymentGateway, 'listSubscriptions' | 'listAllSubscriptions'> {
  /** Maps our subscriptions, with the open invoices of the few that are past due. */
  async function mapOwn(found: readonly Stripe.Subscription[], own: OwnSales): Promise<Subscription[]> {
    const subscriptions: Subscription[] = []
    for (const subscription of found.filter((one) => isOwn(one, own))) {
      const { id, status } = subscription
      const open = { subscription: id, status: 'open' as const, limit: pageSize }
      const isBehind = status === 'past_due' || status === 'unpaid'
      const { data } = isBehind ? await stripe.invoices.list(open) : { data: [] }
      subscriptions.push(toSubscription(subscription, own, data))
    }
    return subscriptions
  }

  async function* pagesOf(own: OwnSales, filter: Stripe.SubscriptionListParams = {}) {
    const pages = listPages((page) => stripe.subscriptions.list({ ...listParams, ...filter, ...page }))
    for await (const data of pages) yield await translateErrors(() => mapOwn(data, own))
  }

  async function listTestClocks(): Promise<Stripe.TestHelpers.TestClock[]> {
    try {
      return await listAll(stripe.testHelpers.testClocks.list({ limit: pageSize }))
    } catch (error) {
      // A restricted key without this permission has no use for test clocks.
      if (isForbidden(error)) return []
      throw error
    }
  }

  return {
    async listSubscriptions(customerId, own) {
      try {
        const found = await forCustomer(stripe, customerId, () =>
          listAll(stripe.subscriptions.list({ ...listParams, customer: customerId })),
        )
        return (await mapOwn(found, own)).reverse()
      } catch (error) {
        if (error instanceof CustomerDeletedError) return []
        throw error
      }
    },
    async *listAllSubscriptions(own) {
      yield* pagesOf(own)
      if (!isTestMode) return
      for (const { id } of await translateErrors(listTestClocks)) yield* pagesOf(own, { test_clock: id })
    },
  }
}
