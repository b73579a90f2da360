import type Stripe from 'stripe'
import { type PaymentGateway, type Subscription, SubscriptionChangedError } from '../payment-gateway.ts'
import { idOf, secondsOf } from './client.ts'
import { isRefusal, isUnderWay } from './errors.ts'
import { callOnce } from './idempotency.ts'
import { changeOfItem, stripeRenewals } from './renewals.ts'
import { itemOf, nextPhaseOf } from './subscription-mapper.ts'

/**
 * Changes of a price, now or at the period's end. Each begins with what Stripe has by now, so that one which was cut
 * short is finished when it is asked for again. Of several at once Stripe itself takes one: see ADR 0029.
 */
export function stripePlanChanges(
  stripe: Stripe,
): Pick<PaymentGateway, 'previewChange' | 'previewRenewal' | 'changeNow' | 'changeAtPeriodEnd'> {
  const renewals = stripeRenewals(stripe)

  async function release(scheduleId: string): Promise<void> {
    try {
      await stripe.subscriptionSchedules.release(scheduleId)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const { status } = await stripe.subscriptionSchedules.retrieve(scheduleId)
      if (isRunning(status)) throw error
    }
  }

  async function findSchedule(id: string): Promise<Stripe.SubscriptionSchedule | null> {
    const schedule = await stripe.subscriptionSchedules.retrieve(id)
    return isRunning(schedule.status) ? schedule : null
  }

  /** The schedule that another page has given a subscription in this moment, after which Stripe refuses ours. */
  async function findOthers(id: string): Promise<Stripe.SubscriptionSchedule | null> {
    const { schedule } = await stripe.subscriptions.retrieve(id)
    return schedule === null ? null : await findSchedule(idOf(schedule))
  }

  async function makeSchedule(id: string): Promise<Stripe.SubscriptionSchedule> {
    try {
      return await stripe.subscriptionSchedules.create({ from_subscription: id })
    } catch (error) {
      const others = isRefusal(error) ? await findOthers(id) : null
      if (others) return others
      throw error
    }
  }

  async function keepGoing(id: string, goingOn: Stripe.SubscriptionUpdateParams): Promise<void> {
    try {
      await stripe.subscriptions.update(id, goingOn)
    } catch (error) {
      if (!isRefusal(error) || !(await findOthers(id))) throw error
    }
  }

  /** Has a price follow at the period's end. A subscription that was to end goes on, or ends still if this fails. */
  async function follow(subscription: Stripe.Subscription, priceId: string): Promise<void> {
    const { id, schedule } = subscription
    const found = schedule === null ? null : await findSchedule(idOf(schedule))
    if (found) return await setPhases(found, subscription, priceId)
    const goingOn = withoutEnd(subscription)
    if (goingOn) await keepGoing(id, goingOn)
    try {
      await setPhases(await makeSchedule(id), subscription, priceId)
    } catch (error) {
      if (goingOn) await attempt(() => endAsBefore(subscription))
      throw error
    }
  }

  async function endAsBefore(before: Stripe.Subscription): Promise<void> {
    const { schedule } = await stripe.subscriptions.retrieve(before.id, { expand: ['schedule'] })
    // The change is there after all: another page made it, or nobody heard that it was made.
    if (nextPriceOf(schedule)) return
    if (schedule !== null) await release(idOf(schedule))
    const { cancel_at_period_end: endsWithPeriod, cancel_at: endsAt } = before
    await stripe.subscriptions.update(
      before.id,
      endsWithPeriod ? { cancel_at_period_end: true } : { cancel_at: endsAt ?? '' },
    )
  }

  async function setPhases(
    schedule: Stripe.SubscriptionSchedule,
    subscription: Stripe.Subscription,
    priceId: string,
  ): Promise<void> {
    const current = phaseOfNow(schedule)
    const { price: priceOfNow, current_period_end: changesAt } = itemOf(subscription)
    if (current.items.some(({ price }) => idOf(price) !== priceOfNow.id)) {
      // An upgrade was charged between our look at the subscription and the schedule, which copies it.
      if (nextPhaseOf(schedule) === undefined) await release(schedule.id)
      throw new SubscriptionChangedError(`${subscription.id} is at another price by now`)
    }
    // Stripe's own samples have null where its types promise a list.
    const discounts = (current.discounts ?? []).map(toDiscount)
    const phases = {
      // A schedule decides anew whether tax is computed.
      default_settings: { automatic_tax: { enabled: subscription.automatic_tax.enabled } },
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
    } satisfies Stripe.SubscriptionScheduleUpdateParams
    try {
      await stripe.subscriptionSchedules.update(schedule.id, phases)
    } catch (error) {
      // An upgrade in another request has released it.
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
    const goingOn = withoutEnd(now)
    const proratedSeconds = secondsOf(proratedAt)
    const change = [now.id, itemId, priceId, proratedSeconds, ...(goingOn ? ['goes-on'] : [])]
    const params: Stripe.SubscriptionUpdateParams = {
      items: changeOfItem(itemId, priceId),
      proration_behavior: 'always_invoice',
      proration_date: proratedSeconds,
      payment_behavior: 'error_if_incomplete',
      // Stripe refuses either while a schedule is attached, so that no change that waits is charged over.
      ...(goingOn ?? { cancel_at_period_end: false }),
    }
    await callOnce(`change-${change.join('-')}`, (options) =>
      stripe.subscriptions.update(now.id, params, options),
    )
  }

  /** Whether another request has made the same change. Throws {@link SubscriptionChangedError} for any other change. */
  async function isMadeByNow(subscription: Subscription, priceId: string): Promise<boolean> {
    const now = await stripe.subscriptions.retrieve(subscription.id)
    refuseMoved(now, subscription, priceId)
    if (itemOf(now).price.id === priceId) return true
    if (now.schedule === null) return false
    throw new SubscriptionChangedError(`${now.id} has a schedule by now`)
  }

  /** What was to follow is to follow still, unless the change was made and nobody heard of it. */
  async function waitAsBefore(before: Stripe.Subscription, priceId: string): Promise<void> {
    const next = nextPriceOf(before.schedule)
    if (next === undefined) return
    const { price } = itemOf(await stripe.subscriptions.retrieve(before.id))
    if (price.id !== priceId) await follow({ ...before, schedule: null }, next)
  }

  return {
    ...renewals,
    async changeNow(subscription, priceId, proratedAt) {
      const { id } = subscription
      const now = await stripe.subscriptions.retrieve(id, { expand: ['schedule'] })
      refuseMoved(now, subscription, priceId)
      if (now.schedule !== null) await release(idOf(now.schedule))
      if (itemOf(now).price.id === priceId) return
      try {
        await charge(now, subscription, priceId, proratedAt)
      } catch (error) {
        // The same change is being made by another request.
        if (isUnderWay(error)) throw new SubscriptionChangedError(`${id} is being changed`)
        // Another request was quicker: the item that this one names is gone.
        if (isRefusal(error) && (await isMadeByNow(subscription, priceId))) return
        await attempt(() => waitAsBefore(now, priceId))
        throw error
      }
    },
    async changeAtPeriodEnd(subscription, priceId) {
      const now = await stripe.subscriptions.retrieve(subscription.id)
      refuseMoved(now, subscription, priceId)
      if (itemOf(now).price.id !== priceId) return await follow(now, priceId)
      if (now.schedule !== null) await release(idOf(now.schedule))
    },
  }
}

/** What was looked at with one price is not done on top of another, which may have been charged a moment ago. */
function refuseMoved(now: Stripe.Subscription, before: Subscription, priceId: string): void {
  const { id, price } = itemOf(now)
  if (price.id !== priceId && (price.id !== before.priceId || id !== before.itemId)) {
    throw new SubscriptionChangedError(`${now.id} is at another price by now`)
  }
}

/** Puts something back as well as it can be: what went wrong before is what has to be told. */
async function attempt(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined)
}

function nextPriceOf(schedule: Stripe.Subscription['schedule']): string | undefined {
  if (schedule === null || typeof schedule === 'string') return undefined
  const price = nextPhaseOf(schedule)?.items[0]?.price
  return price === undefined ? undefined : idOf(price)
}

/** What takes back that a subscription ends; undefined when it goes on anyway. Stripe keeps it in one of two places. */
function withoutEnd(subscription: Stripe.Subscription): Stripe.SubscriptionUpdateParams | undefined {
  if (subscription.cancel_at_period_end) return { cancel_at_period_end: false }
  return subscription.cancel_at === null ? undefined : { cancel_at: '' }
}

function isRunning(status: Stripe.SubscriptionSchedule.Status): boolean {
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
