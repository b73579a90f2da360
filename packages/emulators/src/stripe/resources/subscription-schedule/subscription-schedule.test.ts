import { afterAll, expect, test } from 'vitest'
import {
  advanceToDay,
  clockStart,
  createMember,
  daySeconds,
  itemOf,
  openBilling,
} from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

/** A yearly subscription that becomes monthly after its year. */
async function downgraded() {
  const member = await createMember(stripe)
  const { id } = await subscribe(member.customerId, { items: [{ price: prices.yearly.id }] })
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const [phase] = schedule.phases
  if (!phase) throw new Error('The schedule has no phase.')
  const { start_date, end_date } = phase
  const updated = await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      { start_date, end_date, items: [{ price: prices.yearly.id, quantity: 1 }] },
      { items: [{ price: prices.monthly.id, quantity: 1 }], proration_behavior: 'none' },
    ],
  })
  return { ...member, id, schedule: updated }
}

test('a downgrade waits for the end of the year, then bills months', async () => {
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

test('after its last phase the schedule lets the subscription go', async () => {
  const { id, clockId, schedule } = await downgraded()
  await advanceToDay(stripe, clockId, 400)
  const done = await stripe.subscriptionSchedules.retrieve(schedule.id)
  expect(done).toMatchObject({ status: 'released', subscription: null, released_subscription: id })
  const after = await stripe.subscriptions.retrieve(id)
  expect(after.schedule).toBeNull()
  expect(after.status).toBe('active')
})

test('one that is released leaves everything as it is', async () => {
  const { id, clockId, schedule } = await downgraded()
  await stripe.subscriptionSchedules.release(schedule.id)
  await advanceToDay(stripe, clockId, 366)
  expect(itemOf(await stripe.subscriptions.retrieve(id)).price.id).toBe(prices.yearly.id)
})

test('a subscription under a schedule is not ended past it', async () => {
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

test('phases must follow each other and hold the one of now', async () => {
  const { schedule } = await downgraded()
  const error = await refusal(
    stripe.subscriptionSchedules.update(schedule.id, {
      phases: [{ start_date: clockStart + 900, items: [{ price: prices.yearly.id }] }],
    }),
  )
  expect(error.param).toBe('phases[0][start_date]')
})

test('the preview of a subscription under a schedule is billed by its next phase', async () => {
  const { id } = await downgraded()
  const preview = await stripe.invoices.createPreview({ subscription: id })
  expect(preview.total).toBe(900)
  expect(preview.lines.data[0]?.pricing?.price_details?.price).toBe(prices.monthly.id)
})

test('prices that are archived meanwhile stay good for what was agreed on', async () => {
  const { id, clockId, schedule } = await downgraded()
  const own = await stripe.prices.create({
    product: String(prices.monthly.product),
    currency: 'usd',
    unit_amount: 700,
    recurring: { interval: 'month' },
  })
  const [now] = schedule.phases
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      {
        start_date: now?.start_date ?? 0,
        end_date: now?.end_date ?? 0,
        items: [{ price: prices.yearly.id }],
      },
      { items: [{ price: own.id }] },
    ],
  })
  await stripe.prices.update(own.id, { active: false })
  await advanceToDay(stripe, clockId, 366)
  const after = await stripe.subscriptions.retrieve(id)
  expect(itemOf(after).price).toMatchObject({ id: own.id, active: false })
})

test('a phase has the discounts that it names, and no others', async () => {
  const member = await createMember(stripe)
  const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  const { id } = await subscribe(member.customerId, { discounts: [{ coupon: coupon.id }] })
  const { id: scheduleId, phases } = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const [now] = phases
  expect(now?.discounts).toMatchObject([{ coupon: coupon.id }])
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
