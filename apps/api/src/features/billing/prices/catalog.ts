import type { CatalogPrice, SoldPrice } from '#integrations/payments/payment-gateway.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { minorUnits } from '#platform/money.ts'
import type { PriceRow } from './prices.repository.ts'

type PriceDefinition = PlanDefinition['prices'][number]

const intervals = { MONTHLY: 'monthly', YEARLY: 'yearly' } as const
const wireIntervals = { monthly: 'MONTHLY', yearly: 'YEARLY' } as const

export function wireIntervalOf(interval: PriceRow['interval']): PriceDefinition['interval'] {
  return interval === null ? null : wireIntervals[interval]
}

/** How long a replaced price stays active at Stripe: checkouts that show it can be paid for a day. */
export const keptActiveMs = 25 * 3_600_000

/** Returns every configured price of an app, offered or not, without one-time prices: they can't be bought. */
export function catalogPrices(app: { plans: readonly PlanDefinition[] }): CatalogPrice[] {
  return app.plans.flatMap((plan) =>
    plan.prices.flatMap((price) => {
      if (price.interval === null) return []
      return {
        planId: plan.id,
        planName: plan.name,
        planDescription: plan.description,
        priceId: price.id,
        amount: minorUnits(price.amount, price.currency),
        currency: price.currency,
        interval: intervals[price.interval],
      }
    }),
  )
}

/** Returns prices at Stripe as they are stored. */
export function rowsOf(appId: string, sold: readonly (SoldPrice & { isCurrent: boolean })[]): PriceRow[] {
  return sold.map(({ id, productId, planId, priceId, amount, currency, interval, isCurrent }) => {
    return { id, productId, planId, priceId, amount, currency, interval, appId, current: isCurrent }
  })
}

/** Returns a plan's name; the app's name for a plan that is no longer configured. */
export function planNameOf(app: MembershipApp, planId: string): string {
  return app.plansById.get(planId)?.name ?? app.name
}

type Offer = { plan: PlanDefinition; price: PriceDefinition }

/** Returns an active price with its plan, including plans that only editors assign. */
export function findPrice(app: MembershipApp, priceId: string): Offer | null {
  for (const plan of app.plans) {
    const price = plan.prices.find(({ id }) => id === priceId)
    if (price !== undefined) return price.active && plan.status === 'ACTIVE' ? { plan, price } : null
  }
  return null
}

/** Returns whether the price at Stripe is the configured one, which `tidings payments sync` ensures. */
export function isUpToDate(price: PriceDefinition, sold: PriceRow): boolean {
  return (
    sold.amount === minorUnits(price.amount, price.currency) &&
    sold.currency === price.currency &&
    sold.interval === (price.interval === null ? null : intervals[price.interval])
  )
}
