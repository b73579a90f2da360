import { afterAll, describe, expect, test } from 'vitest'
import {
  advanceToDay,
  clockStart,
  createMember,
  daySeconds,
  giveCard,
  itemOf,
  openBilling,
} from '../../testing/billing.ts'
import { testNow } from '../../testing/start-emulator.ts'

const draftSeconds = 3_600
const now = testNow().getTime() / 1_000
const { prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

describe('a clock for an existing customer', () => {
  test('moves the customer’s subscriptions', async () => {
    const { customers, subscriptions, invoices, testHelpers } = stripe
    const { id: customer } = await customers.create()
    await giveCard(stripe, customer, 'pm_card_visa')
    const { id } = await subscriptions.create({ customer, items: [{ price: prices.monthly.id }] })
    const clock = await testHelpers.testClocks.create({ frozen_time: now, customer })
    expect(await customers.retrieve(customer)).toMatchObject({ test_clock: clock.id })
    await testHelpers.testClocks.advance(clock.id, { frozen_time: now + 32 * daySeconds })
    const renewed = await subscriptions.retrieve(id)
    expect(renewed.test_clock).toBe(clock.id)
    expect(itemOf(renewed).current_period_end).toBeGreaterThan(now + 32 * daySeconds)
    expect((await invoices.list({ customer })).data.map(({ status }) => status)).toEqual(['paid', 'paid'])
    expect((await subscriptions.list({ status: 'all' })).data).toEqual([])
    expect((await subscriptions.list({ test_clock: clock.id })).data.map((one) => one.id)).toEqual([id])
  })

  test('is rejected when the customer has a clock', async () => {
    const { customers, testHelpers } = stripe
    const { id: first } = await testHelpers.testClocks.create({ frozen_time: now })
    const { id: customer } = await customers.create({ test_clock: first })
    const before = (await testHelpers.testClocks.list()).data.length
    await expect(testHelpers.testClocks.create({ frozen_time: now, customer })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      param: 'customer',
    })
    expect((await testHelpers.testClocks.list()).data).toHaveLength(before)
  })

  test('is rejected for an unknown customer', async () => {
    const { customers, testHelpers } = stripe
    const { id: gone } = await customers.create()
    await customers.del(gone)
    for (const customer of ['cus_nobody', gone]) {
      await expect(testHelpers.testClocks.create({ frozen_time: now, customer })).rejects.toMatchObject({
        code: 'resource_missing',
        param: 'customer',
      })
    }
  })
})

describe('test clocks', () => {
  test('objects on a clock have its time', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: now })
    const customer = await stripe.customers.create({ test_clock: clock.id })
    expect(customer).toMatchObject({ created: now, test_clock: clock.id })
    const moved = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 60 })
    expect(moved).toMatchObject({ status: 'ready', frozen_time: now + 60 })
    const backwards = stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now })
    await expect(backwards).rejects.toMatchObject({ param: 'frozen_time' })
  })
})

async function invoicesOf(customer: string) {
  const { data } = await stripe.invoices.list({ customer, limit: 100 })
  return data.reverse()
}

/** Returns a customer's events, oldest first. */
async function eventsOf(customer: string) {
  const all = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
  return all.reverse().filter(({ data: { object } }) => 'customer' in object && object.customer === customer)
}

describe('renewals', () => {
  test('a year of renewals is billed on the anchor’s day', async () => {
    const member = await createMember(stripe)
    const { id } = await subscribe(member.customerId)
    await advanceToDay(stripe, member.clockId, 365.5)
    const invoices = await invoicesOf(member.customerId)
    expect(invoices.map(({ status }) => status)).toEqual(Array.from({ length: 13 }, () => 'paid'))
    expect(invoices.map(({ created }) => new Date(created * 1000).toISOString().slice(0, 10))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
    ])
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(13)
    const item = itemOf(await stripe.subscriptions.retrieve(id))
    expect(item.current_period_start).toBe(clockStart + 365 * daySeconds)
  })

  test('a renewal emits events in Stripe’s order, with what was before, and most an hour later', async () => {
    const member = await createMember(stripe)
    await subscribe(member.customerId)
    const before = (await eventsOf(member.customerId)).length
    await advanceToDay(stripe, member.clockId, 29)
    const events = (await eventsOf(member.customerId)).slice(before)
    expect(events.map(({ type }) => type)).toEqual([
      'invoice.created',
      'customer.subscription.updated',
      'payment_intent.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ])
    const updated = events.find(({ type }) => type === 'customer.subscription.updated')
    expect(Object.keys(updated?.data.previous_attributes ?? {})).toEqual(['items', 'latest_invoice'])
    const renewedAt = clockStart + 28 * daySeconds
    expect(events.map(({ created }) => created - renewedAt)).toEqual(
      events.map((_event, index) => (index < 2 ? 0 : draftSeconds)),
    )
  })

  test('a coupon for three months lowers three invoices', async () => {
    const member = await createMember(stripe)
    const coupon = await stripe.coupons.create({
      percent_off: 20,
      duration: 'repeating',
      duration_in_months: 3,
    })
    const { id } = await subscribe(member.customerId, { discounts: [{ coupon: coupon.id }] })
    await advanceToDay(stripe, member.clockId, 125)
    const totals = (await invoicesOf(member.customerId)).map(({ total }) => total)
    expect(totals).toEqual([720, 720, 720, 900, 900])
    expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([])
  })
})

describe('a card that fails at renewal', () => {
  async function withFailingCard() {
    const member = await createMember(stripe)
    const { id } = await subscribe(member.customerId)
    await giveCard(stripe, member.customerId, 'pm_card_chargeCustomerFail')
    return { member, id }
  }

  test('makes the subscription past due and is retried after 3, 5 and 7 days', async () => {
    const { member, id } = await withFailingCard()
    await advanceToDay(stripe, member.clockId, 28)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    await advanceToDay(stripe, member.clockId, 28.5)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due')
    const tries: unknown[] = []
    for (const day of [28, 31, 36]) {
      await advanceToDay(stripe, member.clockId, day + 1)
      const [, invoice] = await invoicesOf(member.customerId)
      tries.push([invoice?.attempt_count, invoice?.next_payment_attempt])
    }
    expect(tries).toEqual([
      [1, clockStart + 31 * daySeconds + draftSeconds],
      [2, clockStart + 36 * daySeconds + draftSeconds],
      [3, clockStart + 43 * daySeconds + draftSeconds],
    ])
  })

  test('cancels the subscription after the last retry', async () => {
    const { member, id } = await withFailingCard()
    await advanceToDay(stripe, member.clockId, 50)
    const subscription = await stripe.subscriptions.retrieve(id)
    expect(subscription.status).toBe('canceled')
    expect(subscription.ended_at).toBe(clockStart + 43 * daySeconds + draftSeconds)
    expect(subscription.cancellation_details?.reason).toBe('payment_failed')
    const [, invoice] = await invoicesOf(member.customerId)
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 4, next_payment_attempt: null })
  })

  test('a valid card reactivates the subscription in time', async () => {
    const { member, id } = await withFailingCard()
    await advanceToDay(stripe, member.clockId, 29)
    await giveCard(stripe, member.customerId, 'pm_card_visa')
    await advanceToDay(stripe, member.clockId, 32)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    const failed = (await eventsOf(member.customerId)).filter(({ type }) => type === 'invoice.payment_failed')
    expect(failed).toHaveLength(1)
  })

  test('a card that needs authentication requires action', async () => {
    const member = await createMember(stripe)
    const { id } = await subscribe(member.customerId)
    await giveCard(stripe, member.customerId, 'pm_card_authenticationRequired')
    await advanceToDay(stripe, member.clockId, 29)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due')
    const types = (await eventsOf(member.customerId)).map(({ type }) => type)
    expect(types).toContain('invoice.payment_action_required')
    expect(types).toContain('payment_intent.requires_action')
  })
})

describe('trials', () => {
  test('a trial costs nothing until it ends, and is then charged', async () => {
    const member = await createMember(stripe)
    const trial = await subscribe(member.customerId, {
      trial_period_days: 10,
      expand: ['latest_invoice'],
    })
    const trialEnd = clockStart + 10 * daySeconds
    expect(trial).toMatchObject({ status: 'trialing', trial_end: trialEnd })
    expect(itemOf(trial).current_period_end).toBe(trialEnd)
    expect(trial.latest_invoice).toMatchObject({ status: 'paid', total: 0 })
    await advanceToDay(stripe, member.clockId, 11)
    const subscription = await stripe.subscriptions.retrieve(trial.id)
    expect(subscription.status).toBe('active')
    expect(itemOf(subscription).current_period_start).toBe(trialEnd)
    expect((await invoicesOf(member.customerId)).map(({ total }) => total)).toEqual([0, 900])
  })
})

describe('cancellations and expiries', () => {
  test('a subscription that cancels at the period’s end runs until then', async () => {
    const member = await createMember(stripe)
    const { id } = await subscribe(member.customerId)
    const canceled = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    expect(canceled.status).toBe('active')
    expect(canceled.cancel_at).toBe(clockStart + 28 * daySeconds)
    await advanceToDay(stripe, member.clockId, 27)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    await advanceToDay(stripe, member.clockId, 28)
    const ended = await stripe.subscriptions.retrieve(id)
    expect(ended.status).toBe('canceled')
    expect(ended.ended_at).toBe(clockStart + 28 * daySeconds)
    expect(ended.canceled_at).toBe(clockStart)
    expect(await invoicesOf(member.customerId)).toHaveLength(1)
  })

  test('an undone cancellation renews', async () => {
    const member = await createMember(stripe)
    const { id } = await subscribe(member.customerId)
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    const taken = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    expect(taken).toMatchObject({ cancel_at: null, canceled_at: null, cancel_at_period_end: false })
    await advanceToDay(stripe, member.clockId, 29)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(await invoicesOf(member.customerId)).toHaveLength(2)
  })

  test('a subscription whose first invoice is unpaid for 23 hours expires', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { id } = await subscribe(member.customerId)
    await advanceToDay(stripe, member.clockId, 1)
    const subscription = await stripe.subscriptions.retrieve(id)
    expect(subscription.status).toBe('incomplete_expired')
    expect((await invoicesOf(member.customerId)).map(({ status }) => status)).toEqual(['void'])
  })
})
