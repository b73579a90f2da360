import type Stripe from 'stripe'
import { SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import type { PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import { idOf, secondsOf } from '../client/client.ts'
import { isInProgress, isRefusal } from '../client/errors.ts'
import { callOnce } from '../client/idempotency.ts'
import { stripeDroppedSchedules } from './dropped-schedules.ts'
import { changeOfItem, stripeRenewals } from './renewals.ts'
import { currentPhaseOf, discountsOfPhase, keptItem } from './schedule-phases.ts'
import { itemOf, nextPhaseOf, phaseAtRenewal } from './subscription-mapper.ts'

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
  const { restoreSchedule } = stripeDroppedSchedules(stripe)

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

function isActive(status: Stripe.SubscriptionSchedule.Status): boolean {
  return status === 'active' || status === 'not_started'
}
