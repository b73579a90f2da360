import type Stripe from 'stripe'
import type { DroppedSchedule, PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { idOf, pageSize } from '../client/client.ts'
import { currentPhaseOf, keptPhase, metadataOf } from './schedule-phases.ts'
import { itemOf, nextPhaseOf } from './subscription-mapper.ts'

/** Restores scheduled changes that an upgrade dropped and that didn't happen. */
export function stripeDroppedSchedules(stripe: Stripe): Pick<PaymentGateway, 'restoreSchedule'> {
  /** Returns whether another schedule followed: the change was restored, or replaced by a newer decision. */
  async function hasSuccessor(
    now: Stripe.Subscription,
    dropped: Stripe.SubscriptionSchedule,
  ): Promise<boolean> {
    const { data } = await stripe.subscriptionSchedules.list({
      customer: idOf(now.customer),
      limit: pageSize,
    })
    return data.some(({ id, created, subscription, released_subscription: released }) => {
      const isOther = id !== dropped.id && id !== (now.schedule === null ? null : idOf(now.schedule))
      const owner = subscription === null ? released : idOf(subscription)
      return isOther && owner === now.id && created >= (dropped.released_at ?? 0)
    })
  }

  return {
    async restoreSchedule({ subscriptionId, itemId, scheduleId }: DroppedSchedule) {
      const [now, dropped] = await Promise.all([
        stripe.subscriptions.retrieve(subscriptionId),
        stripe.subscriptionSchedules.retrieve(scheduleId),
      ])
      const item = itemOf(now)
      const isCanceled = now.ended_at !== null || now.cancel_at_period_end || now.cancel_at !== null
      // An upgrade that was made has replaced the item.
      if (isCanceled || item.id !== itemId || dropped.released_at === null) return
      const later = dropped.phases.filter(({ start_date: start }) => start > item.current_period_start)
      const [next] = later
      const startsInTime = next !== undefined && next.start_date >= item.current_period_end
      if (!startsInTime || (await hasSuccessor(now, dropped))) return
      // An interrupted attempt has created a schedule that changes nothing.
      const schedule =
        now.schedule === null
          ? await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId })
          : await stripe.subscriptionSchedules.retrieve(idOf(now.schedule))
      if (nextPhaseOf(schedule) !== undefined) return
      const current = { ...keptPhase(currentPhaseOf(schedule)), end_date: next.start_date }
      if (current.items.some(({ price }) => price !== item.price.id)) {
        // An upgrade was charged after we read the subscription, and the schedule copied it.
        await stripe.subscriptionSchedules.release(schedule.id)
        return
      }
      const { default_settings: defaults, end_behavior, metadata } = dropped
      await stripe.subscriptionSchedules.update(schedule.id, {
        default_settings: { automatic_tax: { enabled: defaults.automatic_tax?.enabled ?? false } },
        end_behavior,
        proration_behavior: 'none',
        phases: [{ ...current, proration_behavior: 'none' }, ...later.map(keptPhase)],
        ...metadataOf(metadata),
      })
    },
  }
}
