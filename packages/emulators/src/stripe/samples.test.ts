import { afterAll, beforeAll, expect, test } from 'vitest'
import { stripeControls } from './client.ts'
import { isWireObject } from './protocol/wire-object.ts'
import { sampleFields } from './testing/sample-fields.ts'
import { type StandIn, startStandIn } from './testing/start-stand-in.ts'

let standIn: StandIn
/** One answer of each type, by its type. */
let answers: Map<string, unknown>

beforeAll(async () => {
  standIn = await startStandIn()
  answers = await oneOfEach(standIn)
})
afterAll(() => standIn.stop())

async function oneOfEach({ stripe, url }: StandIn) {
  const found = new Map<string, unknown>()
  const keep = <Answer extends { object: string }>(answer: Answer) => {
    found.set(answer.object, answer)
    return answer
  }
  const clock = keep(await stripe.testHelpers.testClocks.create({ frozen_time: 1_800_000_000 }))
  const product = keep(await stripe.products.create({ name: 'Monthly' }))
  const recurring = { interval: 'month' } as const
  const price = keep(
    await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 500, recurring }),
  )
  const coupon = keep(await stripe.coupons.create({ percent_off: 20, duration: 'forever' }))
  const promotion = { type: 'coupon', coupon: coupon.id } as const
  keep(await stripe.promotionCodes.create({ promotion, code: 'SAMPLE' }))
  const { id: customer } = keep(
    await stripe.customers.create({
      test_clock: clock.id,
      email: 'ann@example.com',
      payment_method: 'pm_card_visa',
    }),
  )
  const [card] = (await stripe.paymentMethods.list({ customer })).data
  if (card) keep(card)
  const subscription = keep(
    await stripe.subscriptions.create({
      customer,
      items: [{ price: price.id }],
      discounts: [{ coupon: coupon.id }],
      default_payment_method: card?.id ?? '',
      expand: ['latest_invoice.payments', 'discounts'],
    }),
  )
  for (const part of [...subscription.items.data, ...subscription.discounts])
    if (typeof part !== 'string') keep(part)
  const invoice = subscription.latest_invoice
  if (invoice && typeof invoice !== 'string') {
    keep(invoice)
    for (const part of [...invoice.lines.data, ...(invoice.payments?.data ?? [])]) keep(part)
  }
  keep(await stripe.subscriptionSchedules.create({ from_subscription: subscription.id }))
  const [charge] = (await stripe.charges.list({ customer, expand: ['data.payment_intent'] })).data
  if (typeof charge?.payment_intent === 'object' && charge.payment_intent) keep(charge.payment_intent)
  if (charge) keep(charge)
  keep(await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 }))
  await stripeControls(url).openDispute(charge?.id ?? '')
  for (const dispute of (await stripe.disputes.list()).data) keep(dispute)
  keep(
    await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'http://localhost:3000/done',
    }),
  )
  const features = { invoice_history: { enabled: true } }
  const { id: configuration } = keep(await stripe.billingPortal.configurations.create({ features }))
  keep(await stripe.billingPortal.sessions.create({ customer, configuration }))
  for (const event of (await stripe.events.list({ limit: 1 })).data) keep(event)
  return found
}

/** Whether the field of this path is there; what is null or absent by its nature is not looked into. */
function has(answer: unknown, [step = '', ...steps]: string[]): boolean {
  if (!isWireObject(answer)) return true
  return step in answer && (steps.length === 0 || has(answer[step], steps))
}

test.each(Object.entries(sampleFields))('%s has every field of Stripe’s sample', (type, fields) => {
  const answer = answers.get(type)
  expect(answer, `An answer of type ${type}`).toBeDefined()
  const missing = fields.split(/\s+/).filter((path) => path !== '' && !has(answer, path.split('.')))
  expect(missing).toEqual([])
})
