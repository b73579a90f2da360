import {
  type PaymentGateway,
  PaymentsRefusedError,
  type Renewal,
  type Subscription,
} from '#integrations/payments/payment-gateway.ts'
import { isInGoodStanding } from './plan-connections.ts'

/** What a subscription renews for at a price, by {@link renewalKey}. */
export type Renewals = ReadonlyMap<string, Renewal>

export function renewalKey({ id }: Pick<Subscription, 'id'>, priceId: string): string {
  return `${id} ${priceId}`
}

/** Returns what subscriptions renew for whose price alone doesn't tell: at the price that waits for them, else at theirs. */
export async function previewRenewals(
  gateway: PaymentGateway,
  subscriptions: readonly Subscription[],
): Promise<Renewals> {
  const renewals = new Map<string, Renewal>()
  for (const subscription of subscriptions) {
    if (!subscription.isAdjusted || !isInGoodStanding(subscription)) continue
    const priceId = subscription.schedule?.nextPriceId ?? subscription.priceId
    try {
      renewals.set(renewalKey(subscription, priceId), await gateway.previewRenewal(subscription, priceId))
    } catch (error) {
      // The email then tells the list price: no preview may keep a plan from being synced.
      if (!(error instanceof PaymentsRefusedError)) throw error
    }
  }
  return renewals
}
