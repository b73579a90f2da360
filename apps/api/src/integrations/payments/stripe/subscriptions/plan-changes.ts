import type Stripe from 'stripe'
import { SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import type { PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import { callOnce, idOf, secondsOf } from '../client/client.ts'
import { isInProgress, isRefusal } from '../client/errors.ts'
import { stripeDroppedSchedules } from './dropped-schedules.ts'
import { changeOfItem, stripeRenewals } from './renewals.ts'
import { stripeScheduledChanges } from './scheduled-changes.ts'
import { itemOf } from './subscription-mapper.ts'

type PlanChangeCalls = Pick<
  PaymentGateway,
  'previewChange' | 'previewRenewal' | 'changeNow' | 'changeAtPeriodEnd' | 'restoreSchedule'
>

/**
 * Changes prices now or at the period's end. Each change starts from Stripe's current state, so that a repeated call
 * completes an interrupted one. Of concurrent changes Stripe accepts one (ADR 0029).
 */
export function stripePlanChanges(stripe: Stripe): PlanChangeCalls {
  const renewals = stripeRenewals(stripe)
  const { release, scheduleChange } = stripeScheduledChanges(stripe)
  const { restoreSchedule } = stripeDroppedSchedules(stripe)

  async function charge(
    now: Stripe.Subscription,
    { itemId }: Subscription,
    priceId: string,
    proratedAt: Date,
  ): Promise<void> {
    const proratedSeconds = secondsOf(proratedAt)
    const change = [now.id, itemId, priceId, proratedSeconds]
    const params: Stripe.SubscriptionUpdateParams = {
      items: changeOfItem(itemId, priceId),
      proration_behavior: 'always_invoice',
      proration_date: proratedSeconds,
      payment_behavior: 'error_if_incomplete',
      // Stripe refuses this while a schedule is attached, so no scheduled change is overwritten.
      cancel_at_period_end: false,
    }
    await callOnce(`change-${change.join('-')}`, (options) =>
      stripe.subscriptions.update(now.id, params, options),
    )
  }

  /**
   * Returns whether a concurrent request made the same change. Throws {@link SubscriptionChangedError} for another one.
   */
  async function isAlreadyMade(subscription: Subscription, priceId: string): Promise<boolean> {
    const now = await stripe.subscriptions.retrieve(subscription.id)
    refuseChanged(now, subscription, priceId)
    if (itemOf(now).price.id === priceId) return true
    if (now.schedule === null) return false
    throw new SubscriptionChangedError(`${now.id} has a schedule now`)
  }

  return {
    ...renewals,
    restoreSchedule,
    async changeNow(subscription, priceId, proratedAt) {
      const { id, itemId } = subscription
      const now = await stripe.subscriptions.retrieve(id)
      refuseChanged(now, subscription, priceId)
      const scheduleId = now.schedule === null ? null : idOf(now.schedule)
      if (scheduleId !== null) await release(scheduleId)
      if (itemOf(now).price.id === priceId) return
      try {
        await charge(now, subscription, priceId, proratedAt)
      } catch (error) {
        // A concurrent request is making the same change.
        if (isInProgress(error)) throw new SubscriptionChangedError(`${id} is being changed`)
        // A concurrent request was faster, and the item is gone.
        if (isRefusal(error) && (await isAlreadyMade(subscription, priceId))) return
        if (scheduleId !== null)
          await ignoreErrors(() => restoreSchedule({ subscriptionId: id, itemId, scheduleId }))
        throw error
      }
    },
    async changeAtPeriodEnd(subscription, priceId) {
      const now = await stripe.subscriptions.retrieve(subscription.id)
      refuseChanged(now, subscription, priceId)
      if (itemOf(now).price.id !== priceId) return await scheduleChange(now, priceId)
      if (now.schedule !== null) await release(idOf(now.schedule))
    },
  }
}

/** Throws if the subscription was canceled, or has another price than the one that was previewed. */
function refuseChanged(now: Stripe.Subscription, before: Subscription, priceId: string): void {
  if (now.cancel_at_period_end || now.cancel_at !== null)
    throw new SubscriptionChangedError(`${now.id} is canceled now`)
  const { id, price } = itemOf(now)
  if (price.id !== priceId && (price.id !== before.priceId || id !== before.itemId)) {
    throw new SubscriptionChangedError(`${now.id} has another price now`)
  }
}

/** Runs a best-effort rollback, whose error must not replace the first one. */
async function ignoreErrors(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined)
}
