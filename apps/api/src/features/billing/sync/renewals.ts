import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { PaymentGateway, Renewal, Subscription } from '#integrations/payments/payment-gateway.ts'
import { wireIntervalOf } from '../prices/catalog.ts'
import type { PriceRow } from '../prices/prices.repository.ts'
import type { StoredRenewal } from './plan-connections.repository.ts'

/** Renewal amounts by {@link renewalKey}. */
export type Renewals = ReadonlyMap<string, Renewal>

export function renewalKey({ id }: Pick<Subscription, 'id'>, priceId: string): string {
  return `${id} ${priceId}`
}

/** Previews the renewals of running subscriptions with a discount or tax, at their scheduled or current price. */
export async function previewRenewals(
  gateway: PaymentGateway,
  subscriptions: readonly Subscription[],
): Promise<Renewals> {
  const renewals = new Map<string, Renewal>()
  for (const subscription of subscriptions) {
    if (subscription.adjustedBy === null) continue
    const priceId = subscription.schedule?.nextPriceId ?? subscription.priceId
    try {
      renewals.set(renewalKey(subscription, priceId), await gateway.previewRenewal(subscription))
    } catch (error) {
      // The site then shows no price: a failed preview must not block the sync.
      if (!(error instanceof PaymentsRefusedError)) throw error
    }
  }
  return renewals
}

/** The stored terms of a connection's renewals; `adjustedBy` is empty if the next charge is not known. */
export type StoredTerms = { renewal: StoredRenewal | null; adjustedBy: string | null }

/** Returns the renewals to store; none for a subscription that renews at its own list price. */
export function storedRenewalOf(
  subscription: Subscription,
  prices: ReadonlyMap<string, PriceRow>,
  renewals: Renewals,
): StoredTerms {
  const { schedule, priceId: currentId, periodEndsAt, adjustedBy } = subscription
  const priceId = schedule?.nextPriceId ?? currentId
  const next = prices.get(priceId)
  const renewal = renewals.get(renewalKey(subscription, priceId))
  const interval = wireIntervalOf(
    priceId === currentId ? subscription.price.interval : (next?.interval ?? null),
  )
  if (renewal !== undefined) {
    const { taxBehavior, amounts } = renewal
    return { adjustedBy, renewal: { interval, taxBehavior, amounts } }
  }
  // An empty fingerprint makes reconcile try again.
  if (adjustedBy !== null) return { adjustedBy: '', renewal: null }
  if (priceId === currentId || next === undefined) return { adjustedBy, renewal: null }
  const amounts = [{ from: periodEndsAt.toISOString(), amount: next.amount, tax: 0 }]
  return { adjustedBy, renewal: { interval, taxBehavior: null, amounts } }
}
