import type { PriceRow } from '#features/billing/prices/prices.repository.ts'
import type { ConnectionState } from '#features/billing/sync/plan-connections.repository.ts'
import type { Invoice, Renewal, Subscription } from '#integrations/payments/payment-gateway.ts'

const startedAt = new Date('2026-11-20T17:00:00Z')
const periodEndsAt = new Date('2026-12-20T17:00:00Z')

/** Returns a paid invoice of 4.99 dollars. */
export function testInvoice(changes: Partial<Invoice> = {}): Invoice {
  return {
    id: 'in_1',
    isPaid: true,
    amount: 499,
    currency: 'usd',
    createdAt: startedAt,
    paidAt: startedAt,
    url: null,
    priceIds: [],
    ...changes,
  }
}

/** Returns an active monthly subscription with a paid invoice. */
export function testSubscription(changes: Partial<Subscription> = {}): Subscription {
  return {
    id: 'sub_1',
    customerId: 'cus_1',
    status: 'active',
    createdAt: startedAt,
    itemId: 'si_1',
    productId: 'prod_none',
    appId: null,
    memberId: null,
    isShared: false,
    priceId: 'price_monthly',
    price: { amount: 499, currency: 'usd', interval: 'monthly' },
    periodStartsAt: startedAt,
    periodEndsAt,
    endsAt: null,
    endedAt: null,
    cancelReason: null,
    adjustedBy: null,
    isCollectionPaused: false,
    hasOwnCard: false,
    schedule: null,
    latestInvoice: testInvoice(),
    unpaidSince: null,
    ...changes,
  }
}

/** Returns a renewal in dollars without tax; without days, its price is written as the first amount alone. */
export function testRenewal(amount: number, regularAmount = amount): Renewal {
  return { amount, regularAmount, currency: 'usd', taxBehavior: null, amounts: [] }
}

/** Returns the price of a plan that is sold for 4.99 dollars a month. */
export function testPrice(id: string, planId: string, changes: Partial<PriceRow> = {}): PriceRow {
  return {
    id,
    planId,
    priceId: `prc_of_${id}`,
    productId: 'prod_1',
    appId: 'app_1',
    amount: 499,
    currency: 'usd',
    interval: 'monthly',
    current: true,
    ...changes,
  }
}

/** The plan connection of that subscription. */
export const testConnectionState: ConnectionState & { renewal: null } = {
  planId: 'pln_monthly',
  subscriptionId: 'sub_1',
  priceId: 'prc_monthly',
  status: 'ACTIVE',
  active: true,
  amount: 499,
  currency: 'usd',
  interval: 'monthly',
  lastBilledAt: startedAt,
  periodEndsAt,
  endsAt: null,
  pastDueAt: null,
  nextPriceId: null,
  adjustedBy: null,
  renewal: null,
}
