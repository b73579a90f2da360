import type Stripe from 'stripe'
import type { Act, Action } from './member-actions.ts'
import { pick } from './random-choice.ts'

/** The actions of the merchant in Stripe's dashboard, and of the members' banks with disputes. */
export const merchantActions: Action[] = [
  { name: 'is disputed', weight: 3, run: dispute },
  { name: 'wins or loses a dispute', weight: 4, run: decideDispute },
  { name: 'is refunded by hand', weight: 3, run: refund },
  { name: 'is moved to the almanac', weight: 2, run: moveSubscription },
  { name: 'buys the almanac', weight: 2, run: sellAlmanac },
  { name: 'gets a code of their own', weight: 2, run: giveCode },
  { name: 'gets a discount', weight: 2, run: applyCoupon },
]

/** One in five is an inquiry. */
async function dispute({ at, tab: { person }, random }: Act): Promise<string> {
  const charge = await newestCharge(at.stripe, person.customerIds)
  if (!charge?.paid || charge.disputed || charge.refunded) return 'no charge to dispute'
  const status = random() < 0.2 ? 'warning_needs_response' : 'needs_response'
  return `${(await at.controls.openDispute(charge.id, { status })).status}: ${charge.id}`
}

async function decideDispute({ at, tab: { person }, random }: Act): Promise<string> {
  const charge = await newestCharge(at.stripe, person.customerIds)
  const { data } = await at.stripe.disputes.list(charge ? { charge: charge.id } : { limit: 1 })
  const open = data.find(({ status }) => status === 'needs_response')
  if (open === undefined) return 'no dispute is open'
  return (await at.controls.closeDispute(open.id, pick(['won', 'lost'], random))).status
}

/** Refunds a charge, or one dollar of it. */
async function refund({ at, tab: { person }, random }: Act): Promise<string> {
  const charge = await newestCharge(at.stripe, person.customerIds)
  if (!charge?.paid || charge.refunded) return 'no charge to refund'
  const part = random() < 0.5 ? { amount: 100 } : {}
  return (await at.stripe.refunds.create({ charge: charge.id, ...part })).status ?? ''
}

async function moveSubscription({ at, tab: { person } }: Act): Promise<string> {
  const running = await at.ownSubscriptionOf(person)
  const item = running?.items.data[0]
  if (running === undefined || item === undefined) return 'nothing runs'
  // Stripe can't cancel only what has not moved: a second subscription may be canceled at this moment.
  if (!(await at.hasOneSubscription(person))) return 'another one runs'
  // A schedule would move it back at the period's end.
  if (typeof running.schedule === 'string') await at.stripe.subscriptionSchedules.release(running.schedule)
  const items = [{ id: item.id, price: at.almanacPriceId }]
  await at.stripe.subscriptions.update(running.id, { items, proration_behavior: 'none' })
  return `done: ${running.id}`
}

/** Sells the almanac with the metadata of a plan's subscription, as a merchant who duplicates one. */
async function sellAlmanac({ at, tab: { person } }: Act): Promise<string> {
  const [customer] = person.customerIds
  if (customer === undefined) return 'is no customer'
  const { appId } = at.catalog
  const { id } = await at.stripe.subscriptions.create({
    customer,
    items: [{ price: at.almanacPriceId }],
    metadata: { member: person.memberId, app: appId },
  })
  return `done: ${id}`
}

/** Coupons that aren't public can be redeemed with a code, here by one customer only. */
async function giveCode({ at, tab: { person } }: Act): Promise<string> {
  const [customer] = person.customerIds
  if (customer === undefined) return 'is no customer'
  const promotion = { type: 'coupon', coupon: 'LOYAL30' } as const
  return `done: ${(await at.stripe.promotionCodes.create({ code: 'LOYAL30', customer, promotion })).id}`
}

async function applyCoupon({ at, tab: { person }, random }: Act): Promise<string> {
  const running = await at.ownSubscriptionOf(person)
  if (running === undefined) return 'nothing runs'
  const coupon = pick(['ONCE50', 'MONTHS3', 'FOREVER20'], random)
  await at.stripe.subscriptions.update(running.id, { discounts: [{ coupon }] })
  return `done: ${coupon}`
}

async function newestCharge(stripe: Stripe, customerIds: ReadonlySet<string>) {
  for (const customer of customerIds) {
    const { data } = await stripe.charges.list({ customer, limit: 1 })
    if (data[0] !== undefined) return data[0]
  }
  return undefined
}
