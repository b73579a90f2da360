import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { newest, type StripeStore, storeTest, subscribed, useCard } from '#test/payments/stripe-store.ts'
import { secondsOf } from '../client/client.ts'

const it = storeTest()
  /** Returns a yearly subscriber for whom the merchant has scheduled two changes. */
  .extend('planned', async ({ store }) => {
    const { stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
    const { id: kept } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    const items = [{ id: subscription.itemId, discounts: [{ coupon: kept }] }]
    await stripe.subscriptions.update(subscription.id, { items })
    const { id: scheduleId } = await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    })
    const { phases } = await stripe.subscriptionSchedules.retrieve(scheduleId)
    const [item] = phases[0]?.items ?? []
    const discounts = (item?.discounts ?? []).map(({ discount }) => ({ discount: String(discount) }))
    const duration = { interval: 'month', interval_count: 3 } as const
    await stripe.subscriptionSchedules.update(scheduleId, {
      metadata: { ticket: '4711' },
      phases: [
        {
          start_date: secondsOf(subscription.periodStartsAt),
          end_date: secondsOf(subscription.periodEndsAt),
          items: [{ price: yearly.id, discounts }],
        },
        {
          duration,
          items: [{ price: monthly.id, quantity: 2, discounts: [{ coupon }] }],
          discounts: [{ coupon }],
        },
        { duration, items: [{ price: monthly.id }], proration_behavior: 'none' },
      ],
    })
    const expensive = await store.reprice(yearly, 20_000)
    return { customerId, subscription: await newest(store.gateway, customerId), scheduleId, expensive }
  })

/** Returns what a schedule will do, and the current discounts of the item. */
async function planOf({ stripe }: StripeStore, subscriptionId: string) {
  const { items, schedule } = await stripe.subscriptions.retrieve(subscriptionId, { expand: ['schedule'] })
  if (schedule === null || typeof schedule === 'string') return null
  const { metadata, end_behavior, default_settings, phases } = schedule
  const [current, ...later] = phases.map(({ proration_behavior, ...phase }) => ({
    ...phase,
    proration_behavior,
  }))
  const now = { ...current, proration_behavior: 'any' }
  return { metadata, end_behavior, default_settings, phases: [now, ...later], item: items.data[0]?.discounts }
}

describe('an upgrade that is not made', () => {
  it.for([['Stripe does not respond'], ['the card is declined']])(
    'restores the schedule exactly when %s',
    async ([what], { store, planned }) => {
      const { gateway, controls } = store
      const { subscription, expensive } = planned
      const before = await planOf(store, subscription.id)
      const match = `POST /v1/subscriptions/${subscription.id}`
      if (what === 'the card is declined') await useCard(store, subscription, 'pm_card_chargeCustomerFail')
      else await controls.addFault({ kind: 'server-error', match, times: 3 })
      await expect(
        gateway.changeNow(subscription, expensive.id, subscription.periodStartsAt),
      ).rejects.toThrow()
      expect(before?.phases).toHaveLength(3)
      expect(await planOf(store, subscription.id)).toEqual(before)
    },
  )
})

describe('restoreSchedule', () => {
  type Act = (store: StripeStore, subscription: Subscription, price: Stripe.Price) => Promise<unknown>
  const nothing: Act = async () => undefined
  const upgrade: Act = ({ gateway }, subscription, price) =>
    gateway.changeNow(subscription, price.id, subscription.periodStartsAt)
  const cancel: Act = ({ stripe }, { id }) => stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const begin: Act = ({ stripe }, { id }) => stripe.subscriptionSchedules.create({ from_subscription: id })
  const decide: Act = async ({ gateway, monthly, yearly }, subscription) => {
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    await gateway.changeAtPeriodEnd(subscription, yearly.id)
  }

  it.for<[does: 'restores the schedule' | 'changes nothing', what: string, act: Act]>([
    ['restores the schedule', 'the process of the upgrade ended', nothing],
    ['restores the schedule', 'an earlier call ended after it created a schedule', begin],
    ['changes nothing', 'the upgrade was made', upgrade],
    ['changes nothing', 'the plan was canceled', cancel],
    ['changes nothing', 'the member has decided otherwise', decide],
  ])('%s after %s', async ([does, , act], { store, planned }) => {
    const { gateway, stripe } = store
    const { customerId, subscription, scheduleId, expensive } = planned
    const before = await planOf(store, subscription.id)
    await stripe.subscriptionSchedules.release(scheduleId)
    await act(store, await newest(gateway, customerId), expensive)
    const dropped = { subscriptionId: subscription.id, itemId: subscription.itemId, scheduleId }
    await gateway.restoreSchedule(dropped)
    await gateway.restoreSchedule(dropped)
    expect(await planOf(store, subscription.id)).toEqual(does === 'restores the schedule' ? before : null)
  })
})
