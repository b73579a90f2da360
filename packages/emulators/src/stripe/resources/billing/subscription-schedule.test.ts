import { afterAll, expect, test } from 'vitest'
import {
  advanceToDay,
  clockStart,
  createMember,
  daySeconds,
  itemOf,
  openBilling,
  schedulePrice,
} from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

/** A yearly subscription that becomes monthly after its year. */
async function downgraded() {
  const member = await createMember(stripe)
  const { id } = await subscribe(member.customerId, { items: [{ price: prices.yearly.id }] })
  return { ...member, id, schedule: await schedulePrice(stripe, id, prices.monthly.id) }
}

test('a downgrade takes effect after the year, then bills monthly', async () => {
  const { id, clockId, schedule } = await downgraded()
  expect(schedule.status).toBe('active')
  expect(schedule.current_phase?.end_date).toBe(clockStart + 365 * daySeconds)
  const waiting = await stripe.subscriptions.retrieve(id)
  expect(waiting.schedule).toBe(schedule.id)
  expect(itemOf(waiting).price.id).toBe(prices.yearly.id)

  await advanceToDay(stripe, clockId, 366)
  const after = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(itemOf(after).price.id).toBe(prices.monthly.id)
  expect(itemOf(after).current_period_start).toBe(clockStart + 365 * daySeconds)
  expect(itemOf(after).current_period_end).toBe(Date.UTC(2027, 1, 28, 12) / 1000)
  expect(after.latest_invoice).toMatchObject({
    total: 900,
    status: 'paid',
    billing_reason: 'subscription_cycle',
  })
})

test('a schedule releases its subscription after the last phase', async () => {
  const { id, clockId, schedule } = await downgraded()
  await advanceToDay(stripe, clockId, 400)
  const done = await stripe.subscriptionSchedules.retrieve(schedule.id)
  expect(done).toMatchObject({ status: 'released', subscription: null, released_subscription: id })
  const after = await stripe.subscriptions.retrieve(id)
  expect(after.schedule).toBeNull()
  expect(after.status).toBe('active')
})

test('releasing a schedule keeps the current plan', async () => {
  const { id, clockId, schedule } = await downgraded()
  await stripe.subscriptionSchedules.release(schedule.id)
  await advanceToDay(stripe, clockId, 366)
  expect(itemOf(await stripe.subscriptions.retrieve(id)).price.id).toBe(prices.yearly.id)
})

test('a scheduled subscription cannot be canceled directly', async () => {
  const { id, schedule } = await downgraded()
  const error = await refusal(stripe.subscriptions.update(id, { cancel_at_period_end: true }))
  expect(error.statusCode).toBe(400)
  expect(error.message).toContain(schedule.id)
  await stripe.subscriptions.cancel(id)
  expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('canceled')
})

test('a subscription has one schedule', async () => {
  const { id } = await downgraded()
  const error = await refusal(stripe.subscriptionSchedules.create({ from_subscription: id }))
  expect(error.param).toBe('from_subscription')
})

test('phases must be consecutive and contain the current one', async () => {
  const { schedule } = await downgraded()
  const error = await refusal(
    stripe.subscriptionSchedules.update(schedule.id, {
      phases: [{ start_date: clockStart + 900, items: [{ price: prices.yearly.id }] }],
    }),
  )
  expect(error.param).toBe('phases[0][start_date]')
})

test('a preview bills the next phase of a schedule', async () => {
  const { id } = await downgraded()
  const preview = await stripe.invoices.createPreview({ subscription: id })
  expect(preview.total).toBe(900)
  expect(preview.lines.data[0]?.pricing?.price_details?.price).toBe(prices.monthly.id)
})

test('a scheduled price stays valid after it is archived', async () => {
  const { customerId, clockId } = await createMember(stripe)
  const { id } = await subscribe(customerId)
  const own = await stripe.prices.create({
    product: String(prices.monthly.product),
    currency: 'usd',
    unit_amount: 700,
    recurring: { interval: 'month' },
  })
  await schedulePrice(stripe, id, own.id)
  await stripe.prices.update(own.id, { active: false })
  await advanceToDay(stripe, clockId, 29)
  const after = await stripe.subscriptions.retrieve(id)
  expect(itemOf(after).price).toMatchObject({ id: own.id, active: false })
})

test('a phase has only its own discounts', async () => {
  const member = await createMember(stripe)
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  const { id, discounts } = await subscribe(member.customerId, { discounts: [{ coupon: coupon.id }] })
  const { id: scheduleId, phases } = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const [now] = phases
  expect(now?.discounts).toMatchObject([{ coupon: null, discount: discounts[0] }])
  const current = { start_date: now?.start_date ?? 0, end_date: now?.end_date ?? 0 }
  await stripe.subscriptionSchedules.update(scheduleId, {
    phases: [
      { ...current, items: [{ price: prices.monthly.id }], discounts: [{ coupon: coupon.id }] },
      { items: [{ price: prices.dearer.id }] },
    ],
  })
  expect((await stripe.subscriptions.retrieve(id)).discounts).toHaveLength(1)
  expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
  await advanceToDay(stripe, member.clockId, 29)
  const after = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(after.discounts).toEqual([])
  expect(after.latest_invoice).toMatchObject({ total: 1_500 })
})
