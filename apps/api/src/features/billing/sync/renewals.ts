import {
  type PaymentGateway,
  PaymentsRefusedError,
  type Renewal,
  type Subscription,
} from '#integrations/payments/payment-gateway.ts'
import { isInGoodStanding } from './plan-connections.ts'

/** Renewal amounts by {@link renewalKey}. */
export type Renewals = ReadonlyMap<string, Renewal>

export function renewalKey({ id }: Pick<Subscription, 'id'>, priceId: string): string {
  return `${id} ${priceId}`
}

/** Previews the renewals of subscriptions with a discount or tax, at their scheduled or current price. */
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
      // The email then has the list price: a failed preview must not block the sync.
      if (!(error instanceof PaymentsRefusedError)) throw error
    }
  }
  return renewals
}
