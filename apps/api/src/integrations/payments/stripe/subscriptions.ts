import type Stripe from 'stripe'
import {
  CustomerDeletedError,
  type OwnSales,
  type PaymentGateway,
  type Subscription,
} from '../payment-gateway.ts'
import { mostListed, pageSize } from './client.ts'
import { forCustomer } from './customers.ts'
import { isForbidden, translateErrors } from './errors.ts'
import { isOwn, subscriptionParts, toSubscription } from './subscription-mapper.ts'

const wholeList = {
  status: 'all' as const,
  limit: pageSize,
  expand: subscriptionParts.map((part) => `data.${part}`),
}

/**
 * What Stripe tells of subscriptions. In test mode customers may hang on test clocks, and what they subscribe to is on
 * no list but the clock's own.
 */
export function stripeSubscriptions(
  stripe: Stripe,
  { isTestMode }: { isTestMode: boolean },
): Pick<PaymentGateway, 'listSubscriptions' | 'listAllSubscriptions'> {
  /** Of those that are behind with their payments, which are few, the open invoices are asked for. */
  async function readArrears(found: readonly Stripe.Subscription[], own: OwnSales): Promise<Subscription[]> {
    const subscriptions: Subscription[] = []
    for (const subscription of found.filter((one) => isOwn(one, own))) {
      const { id, status } = subscription
      const owed = { subscription: id, status: 'open' as const, limit: pageSize }
      const isBehind = status === 'past_due' || status === 'unpaid'
      const { data } = isBehind ? await stripe.invoices.list(owed) : { data: [] }
      subscriptions.push(toSubscription(subscription, own, data))
    }
    return subscriptions
  }

  async function* pagesOf(
    own: OwnSales,
    filter: Stripe.SubscriptionListParams = {},
  ): AsyncGenerator<Subscription[]> {
    let after: string | undefined
    do {
      const params = { ...wholeList, ...filter, ...(after === undefined ? {} : { starting_after: after }) }
      const { data, has_more: hasMore } = await translateErrors(() => stripe.subscriptions.list(params))
      yield await translateErrors(() => readArrears(data, own))
      after = hasMore ? data.at(-1)?.id : undefined
    } while (after !== undefined)
  }

  async function listTestClocks(): Promise<string[]> {
    try {
      const clocks = await stripe.testHelpers.testClocks
        .list({ limit: pageSize })
        .autoPagingToArray({ limit: mostListed })
      return clocks.map(({ id }) => id)
    } catch (error) {
      // Whoever gave the key no right to clocks uses none.
      if (isForbidden(error)) return []
      throw error
    }
  }

  return {
    async listSubscriptions(customerId, own) {
      try {
        const found = await forCustomer(stripe, customerId, () =>
          stripe.subscriptions
            .list({ ...wholeList, customer: customerId })
            .autoPagingToArray({ limit: mostListed }),
        )
        return (await readArrears(found, own)).reverse()
      } catch (error) {
        if (error instanceof CustomerDeletedError) return []
        throw error
      }
    },
    async *listAllSubscriptions(own) {
      yield* pagesOf(own)
      if (!isTestMode) return
      for (const clock of await translateErrors(listTestClocks)) yield* pagesOf(own, { test_clock: clock })
    },
  }
}
