import type { CataloguePrice } from '#integrations/payments/payment-gateway.ts'
import type { PlanDefinition } from '#platform/membership-apps/app-config.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { minorUnits } from '#platform/money.ts'
import type { PriceRow } from './prices.repository.ts'

type PriceDefinition = PlanDefinition['prices'][number]

const intervals = { MONTHLY: 'monthly', YEARLY: 'yearly' } as const
const wireIntervals = { monthly: 'MONTHLY', yearly: 'YEARLY' } as const

/** How often a price is paid, as clients read it. */
export function wireIntervalOf(interval: PriceRow['interval']): PriceDefinition['interval'] {
  return interval === null ? null : wireIntervals[interval]
}

/** Every price that an app has configured, whether or not it is offered at the moment. */
export function cataloguePrices(app: MembershipApp): CataloguePrice[] {
  return app.plans.flatMap((plan) =>
    plan.prices.map((price) => ({
      planId: plan.id,
      planName: plan.name,
      planDescription: plan.description,
      priceId: price.id,
      amount: minorUnits(price.amount, price.currency),
      currency: price.currency,
      interval: price.interval === null ? null : intervals[price.interval],
    })),
  )
}

type Offer = { plan: PlanDefinition; price: PriceDefinition }

/** A price that is for sale, with its plan, be it one that only the site gives; null when none of this id is. */
export function findPrice(app: MembershipApp, priceId: string): Offer | null {
  for (const plan of app.plans) {
    const price = plan.prices.find(({ id }) => id === priceId)
    if (price !== undefined) return price.active && plan.status === 'ACTIVE' ? { plan, price } : null
  }
  return null
}

/** A price that members can choose now, with its plan; null when there is none of this id, or it is not offered. */
export function findOffer(app: MembershipApp, priceId: string): Offer | null {
  const found = findPrice(app, priceId)
  return found === null || found.plan.restrictToAdmin ? null : found
}

/** Whether what is sold costs what is configured: it does not until a change has been brought to the payment service. */
export function isUpToDate(price: PriceDefinition, sold: PriceRow): boolean {
  return (
    sold.amount === minorUnits(price.amount, price.currency) &&
    sold.currency === price.currency &&
    sold.interval === (price.interval === null ? null : intervals[price.interval])
  )
}
