import type Stripe from 'stripe'
import { SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import { idOf } from '../client/client.ts'
import { isRefusal } from '../client/errors.ts'
import { currentPhaseOf, discountsOfPhase, keptItem } from './schedule-phases.ts'
import { itemOf, nextPhaseOf, phaseAtRenewal } from './subscription-mapper.ts'

/** Schedules a price for the end of a period. Of concurrent schedules Stripe accepts one, which the others then use. */
export function stripeScheduledChanges(stripe: Stripe) {
  async function release(scheduleId: string): Promise<void> {
    try {
      await stripe.subscriptionSchedules.release(scheduleId)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const { status } = await stripe.subscriptionSchedules.retrieve(scheduleId)
      if (isActive(status)) throw error
    }
  }

  async function findSchedule(id: string): Promise<Stripe.SubscriptionSchedule | null> {
    const schedule = await stripe.subscriptionSchedules.retrieve(id)
    return isActive(schedule.status) ? schedule : null
  }

  /** Returns the schedule that a concurrent request attached, after which Stripe refuses another. */
  async function findConcurrent(id: string): Promise<Stripe.SubscriptionSchedule | null> {
    const { schedule } = await stripe.subscriptions.retrieve(id)
    return schedule === null ? null : await findSchedule(idOf(schedule))
  }

  async function createSchedule(id: string): Promise<Stripe.SubscriptionSchedule> {
    try {
      return await stripe.subscriptionSchedules.create({ from_subscription: id })
    } catch (error) {
      const concurrent = isRefusal(error) ? await findConcurrent(id) : null
      if (concurrent) return concurrent
      throw error
    }
  }

  /** Schedules a price for the period's end. */
  async function scheduleChange(subscription: Stripe.Subscription, priceId: string): Promise<void> {
    const { id, schedule } = subscription
    const found = schedule === null ? null : await findSchedule(idOf(schedule))
    await setPhases(found ?? (await createSchedule(id)), subscription, priceId)
  }

  async function setPhases(
    schedule: Stripe.SubscriptionSchedule,
    subscription: Stripe.Subscription,
    priceId: string,
  ): Promise<void> {
    const current = currentPhaseOf(schedule)
    const item = itemOf(subscription)
    const { price: currentPrice, current_period_end: changesAt } = item
    const next = phaseAtRenewal({ schedule }, item)
    const scheduled = next?.items.find(({ price }) => idOf(price) === priceId)
    if (current.items.some(({ price }) => idOf(price) !== currentPrice.id)) {
      // An upgrade was charged after we read the subscription, and the schedule copied it.
      if (nextPhaseOf(schedule) === undefined) await release(schedule.id)
      throw new SubscriptionChangedError(`${subscription.id} has another price now`)
    }
    const phases = {
      // A schedule doesn't inherit automatic tax.
      default_settings: { automatic_tax: { enabled: subscription.automatic_tax.enabled } },
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          start_date: current.start_date,
          end_date: changesAt,
          items: current.items.map(keptItem),
          discounts: discountsOfPhase(current),
          proration_behavior: 'none',
          ...(current.trial_end === null ? {} : { trial_end: current.trial_end }),
        },
        {
          start_date: changesAt,
          // Any duration works: after it, the released subscription keeps this price.
          duration: { interval: 'month', interval_count: 1 },
          // As previewed: the discounts of an earlier scheduled change stay, and so does its item for the same price.
          items: [scheduled === undefined ? { price: priceId, quantity: 1 } : keptItem(scheduled)],
          discounts: discountsOfPhase(next ?? current),
          proration_behavior: 'none',
        },
      ],
    } satisfies Stripe.SubscriptionScheduleUpdateParams
    try {
      await stripe.subscriptionSchedules.update(schedule.id, phases)
    } catch (error) {
      // A concurrent upgrade has released it.
      const isReleased = isRefusal(error) && (await findSchedule(schedule.id)) === null
      throw isReleased ? new SubscriptionChangedError(`${schedule.id} was released`) : error
    }
  }

  return { release, scheduleChange }
}

function isActive(status: Stripe.SubscriptionSchedule.Status): boolean {
  return status === 'active' || status === 'not_started'
}
