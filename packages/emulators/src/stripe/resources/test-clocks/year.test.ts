import Stripe from 'stripe'
import { afterAll, expect, test } from 'vitest'
import { seededRandom } from '../../server/webhook-chaos.ts'
import { clockStart, daySeconds, giveCard, itemOf, openBilling } from '../../testing/billing.ts'

const { prices, stop, stripe } = await openBilling()
afterAll(stop)

type Pick = <Choice>(...choices: Choice[]) => Choice

/** The actions of members and their banks in a year. Some of them are rejected, as they should be. */
const deeds: ((subscription: Stripe.Subscription, customer: string, pick: Pick) => Promise<unknown>)[] = [
  ({ id, ...rest }, _customer, pick) =>
    stripe.subscriptions.update(id, {
      items: [{ id: itemOf({ id, ...rest }).id, price: anyPrice(pick), quantity: pick(1, 1, 2) }],
      proration_behavior: pick('always_invoice', 'none'),
      payment_behavior: pick('allow_incomplete', 'error_if_incomplete'),
    }),
  ({ id }, _customer, pick) =>
    stripe.subscriptions.update(id, { cancel_at_period_end: pick(true, false, false) }),
  ({ id }) => stripe.subscriptions.cancel(id),
  ({ id }) => stripe.subscriptionSchedules.create({ from_subscription: id }),
  (_subscription, customer, pick) =>
    giveCard(stripe, customer, pick('pm_card_visa', 'pm_card_visa', 'pm_card_chargeCustomerFail')),
  async (_subscription, customer) => {
    const { data } = await stripe.invoices.list({ customer, status: 'open' })
    for (const { id } of data) await stripe.invoices.pay(id)
  },
]

function anyPrice(pick: Pick) {
  return pick(prices.monthly.id, prices.dearer.id, prices.yearly.id)
}

function isActiveSchedule({ status }: Stripe.Subscription) {
  return status !== 'canceled' && status !== 'incomplete_expired'
}

/** Returns whether an action succeeded. Rethrows anything but a rejection. */
async function isDone(deed: Promise<unknown>): Promise<boolean> {
  try {
    await deed
    return true
  } catch (error) {
    const isRefusal = error instanceof Stripe.errors.StripeError && (error.statusCode ?? 500) < 500
    if (!isRefusal) throw error
    return false
  }
}

/** Returns the result of each action. */
async function liveAYear(customers: string[], clockId: string, seed: number) {
  const random = seededRandom(seed)
  function pick<Choice>(...choices: Choice[]): Choice {
    const chosen = choices[Math.floor(random() * choices.length)]
    if (chosen === undefined) throw new Error('There is nothing to choose from.')
    return chosen
  }
  const outcomes: boolean[] = []
  for (let day = 6; day <= 366; day += 6) {
    for (const customer of customers) {
      if (random() < 0.6) continue
      const { data } = await stripe.subscriptions.list({ customer })
      const subscription = data.find(isActiveSchedule)
      const deed = subscription
        ? pick(...deeds)(subscription, customer, pick)
        : stripe.subscriptions.create({
            customer,
            items: [{ price: anyPrice(pick) }],
            ...(random() < 0.3 ? { trial_period_days: 7 } : {}),
          })
      outcomes.push(await isDone(deed))
    }
    await stripe.testHelpers.testClocks.advance(clockId, { frozen_time: clockStart + day * daySeconds })
  }
  return outcomes
}

test.each([1, 2])('after a year of random actions (%i), charges and invoices match', async (seed) => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: clockStart })
  const customers: string[] = []
  for (let count = 0; count < 6; count += 1) {
    const { id } = await stripe.customers.create({ test_clock: clock.id })
    await giveCard(stripe, id, 'pm_card_visa')
    customers.push(id)
  }
  const outcomes = await liveAYear(customers, clock.id, seed)
  // Too many rejections would prove nothing.
  expect(outcomes.filter(Boolean).length).toBeGreaterThan(outcomes.length / 2)

  const now = clockStart + 366 * daySeconds
  for (const customer of customers) {
    const all = { limit: 10_000 }
    const invoices = await stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray(all)
    const charges = await stripe.charges.list({ customer, limit: 100 }).autoPagingToArray(all)
    const charged = charges.filter(({ paid }) => paid).map(({ amount }) => amount)
    const paid = invoices.map(({ amount_paid }) => amount_paid)
    expect(sum(charged)).toBe(sum(paid))
    expect(sum(charged)).toBeGreaterThan(0)
    for (const invoice of invoices) {
      const discounts = invoice.total_discount_amounts?.map(({ amount }) => amount) ?? []
      expect(invoice.total).toBe(invoice.subtotal - sum(discounts))
      if (invoice.status === 'paid') expect(invoice.amount_paid).toBe(invoice.amount_due)
    }
    const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
    expect(data.filter(isActiveSchedule).length).toBeLessThanOrEqual(1)
    for (const subscription of data.filter(({ status }) =>
      ['active', 'past_due', 'trialing'].includes(status),
    )) {
      const { current_period_start: start, current_period_end: end } = itemOf(subscription)
      expect(start).toBeLessThanOrEqual(now)
      expect(end).toBeGreaterThan(now)
    }
  }
})

function sum(numbers: number[]) {
  return numbers.reduce((total, one) => total + one, 0)
}
