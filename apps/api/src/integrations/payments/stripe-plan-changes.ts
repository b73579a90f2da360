import type Stripe from 'stripe'
import type { Clock } from '../../platform/clock.ts'
import {
  CardDeclinedError,
  type PaymentGateway,
  PaymentsRefusedError,
  type Subscription,
} from './payment-gateway.ts'
import { idOf, instantOf, secondsOf } from './stripe-connection.ts'
import { inRoleWords, isRefusal } from './stripe-failures.ts'
import { onceFor } from './stripe-idempotency.ts'
import { itemOf, nextPhaseOf } from './stripe-subscription-mapper.ts'

/**
 * Changes of a price, now or at the period's end. Each begins with what Stripe has by now, so that one which was cut
 * short is finished when it is asked for again.
 */
export function planChangesAt(
  stripe: Stripe,
  clock: Clock,
): Pick<PaymentGateway, 'previewChange' | 'changeNow' | 'changeAtPeriodEnd'> {
  async function release(scheduleId: string): Promise<void> {
    try {
      await stripe.subscriptionSchedules.release(scheduleId)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const { status } = await stripe.subscriptionSchedules.retrieve(scheduleId)
      if (isLiving(status)) throw error
    }
  }

  async function findSchedule(id: string): Promise<Stripe.SubscriptionSchedule | null> {
    const schedule = await stripe.subscriptionSchedules.retrieve(id)
    return isLiving(schedule.status) ? schedule : null
  }

  /** The schedule that governs a subscription, which is to go on and is given one if it has none. */
  async function takeSchedule(subscription: Stripe.Subscription): Promise<Stripe.SubscriptionSchedule> {
    const { id, schedule } = subscription
    const found = schedule === null ? null : await findSchedule(idOf(schedule))
    if (found) return found
    const goingOn = withoutEnd(subscription)
    if (goingOn) await stripe.subscriptions.update(id, goingOn)
    try {
      return await stripe.subscriptionSchedules.create({ from_subscription: id })
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Another page was quicker.
      const { schedule: made } = await stripe.subscriptions.retrieve(id)
      const others = made === null ? null : await findSchedule(idOf(made))
      if (others) return others
      throw error
    }
  }

  async function follow(subscription: Stripe.Subscription, priceId: string): Promise<void> {
    const schedule = await takeSchedule(subscription)
    const current = phaseOfNow(schedule)
    const changesAt = itemOf(subscription).current_period_end
    // Stripe's own samples have null where its types promise a list.
    const discounts = (current.discounts ?? []).map(toDiscount)
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        {
          start_date: current.start_date,
          end_date: changesAt,
          items: current.items.map(({ price, quantity = 1 }) => ({ price: idOf(price), quantity })),
          discounts,
          proration_behavior: 'none',
          ...(current.trial_end === null ? {} : { trial_end: current.trial_end }),
        },
        {
          start_date: changesAt,
          // How long does not matter: after it the subscription goes on with this price, released.
          duration: { interval: 'month', interval_count: 1 },
          items: [{ price: priceId, quantity: 1 }],
          discounts,
          proration_behavior: 'none',
        },
      ],
    })
  }

  async function isSubscribed(id: string, priceId: string): Promise<boolean> {
    return itemOf(await stripe.subscriptions.retrieve(id)).price.id === priceId
  }

  async function charge(now: Stripe.Subscription, priceId: string, proratedAt: Date): Promise<void> {
    const item = itemOf(now)
    const goingOn = withoutEnd(now)
    const proratedSeconds = secondsOf(proratedAt)
    const change = [now.id, item.price.id, priceId, proratedSeconds, ...(goingOn ? ['goes-on'] : [])]
    const params: Stripe.SubscriptionUpdateParams = {
      items: [{ id: item.id, price: priceId, quantity: 1 }],
      proration_behavior: 'always_invoice',
      proration_date: proratedSeconds,
      payment_behavior: 'error_if_incomplete',
      ...goingOn,
    }
    await onceFor(`change-${change.join('-')}`, (options) =>
      stripe.subscriptions.update(now.id, params, options),
    )
  }

  return {
    async previewChange(subscription, priceId) {
      const proratedAt = withinPeriod(subscription, clock.now())
      const { amount_due: amount, currency } = await stripe.invoices.createPreview({
        subscription: subscription.id,
        subscription_details: {
          items: [{ id: subscription.itemId, price: priceId, quantity: 1 }],
          proration_behavior: 'always_invoice',
          proration_date: secondsOf(proratedAt),
        },
      })
      return { due: { amount, currency }, proratedAt }
    },
    async changeNow({ id }, priceId, proratedAt) {
      const now = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] })
      const { schedule } = now
      const waiting = schedule === null || typeof schedule === 'string' ? undefined : nextPhaseOf(schedule)
      if (schedule !== null) await release(idOf(schedule))
      if (itemOf(now).price.id === priceId) return
      try {
        await inRoleWords(() => charge(now, priceId, proratedAt))
      } catch (error) {
        // Another call was quicker, and began a period into which this one's proration does not fall.
        if (error instanceof PaymentsRefusedError && (await isSubscribed(id, priceId))) return
        const next = waiting?.items[0]?.price
        // Nothing may have changed: what was to follow is to follow still.
        if (error instanceof CardDeclinedError && next) await follow({ ...now, schedule: null }, idOf(next))
        throw error
      }
    },
    async changeAtPeriodEnd({ id }, priceId) {
      const now = await stripe.subscriptions.retrieve(id)
      if (itemOf(now).price.id !== priceId) return await follow(now, priceId)
      if (now.schedule !== null) await release(idOf(now.schedule))
    },
  }
}

/** What takes back that a subscription ends; undefined when it goes on anyway. Stripe keeps it in one of two places. */
function withoutEnd(subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams | undefined {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false }
  return subscription.cancel_at === null ? undefined : { cancel_at: '' }
}

function isLiving(status: Stripe.SubscriptionSchedule.Status): boolean {
  return status === 'active' || status === 'not_started'
}

function phaseOfNow({ id, phases, current_phase: now }: Stripe.SubscriptionSchedule) {
  const phase = phases.find(({ start_date: start }) => start === now?.start_date)
  if (!phase) throw new Error(`The schedule ${id} is in no phase`)
  return phase
}

function toDiscount({ discount, promotion_code: code, coupon }: Stripe.SubscriptionSchedule.Phase.Discount) {
  if (discount) return { discount: idOf(discount) }
  if (code) return { promotion_code: idOf(code) }
  return coupon ? { coupon: idOf(coupon) } : {}
}

/** Stripe prorates within the period that runs, and our clock may be ahead of or behind its own. */
function withinPeriod({ periodStartsAt, periodEndsAt }: Subscription, now: Date): Date {
  const [first, last] = [secondsOf(periodStartsAt), secondsOf(periodEndsAt) - 1]
  return instantOf(Math.min(Math.max(secondsOf(now), first), last))
}
