import type Stripe from 'stripe'
import { testCards } from '../payments/payment-actions.ts'
import type { PaymentSite } from '../sites/payment-site.ts'
import type { Customer, Sold } from './population.ts'

export const runningStatuses = ['trialing', 'active', 'past_due', 'unpaid', 'paused']

/** The subject of a change: a customer with a running subscription, its item, and the other price. */
type Change = {
  at: PaymentSite
  customer: Customer
  running: Stripe.Subscription
  item: Stripe.SubscriptionItem
  to: string
}

/** The changes of running subscriptions. Each returns false when it doesn't apply. */
const changes = {
  switchPrice: ({ at, running, item, to }) =>
    done(at.stripe.subscriptions.update(running.id, { items: [{ id: item.id, price: to }] })),
  cancelAtPeriodEnd: async ({ at, running }) =>
    running.cancel_at === null &&
    (await done(at.stripe.subscriptions.update(running.id, { cancel_at_period_end: true }))),
  resume: async ({ at, running }) =>
    running.cancel_at_period_end &&
    (await done(at.stripe.subscriptions.update(running.id, { cancel_at_period_end: false }))),
  cancelNow: ({ at, running }) => done(at.stripe.subscriptions.cancel(running.id)),
  breakCard: ({ at, customer, running }) => done(giveCard(at, customer, running.id, testCards.failsLater)),
  repairCard: ({ at, customer, running }) => done(giveCard(at, customer, running.id, testCards.good)),
  schedulePrice: async ({ at, running, item, to }) =>
    running.schedule === null && (await done(schedulePrice(at, running, item.price.id, to))),
  refund: async ({ at, customer }) => {
    const charge = await newestCharge(at, customer)
    if (charge === undefined || !charge.paid || charge.refunded) return false
    return await done(at.stripe.refunds.create({ charge: charge.id }))
  },
  dispute: ({ at, customer }) => disputeNewest(at, customer),
  duplicate: ({ at, customer, to }) => done(subscribe(at, customer, to)),
} satisfies Record<string, (change: Change) => Promise<boolean>>

const runningChanges = Object.entries(changes)

/** The changes that a year must contain. */
export const changeKinds = [...Object.keys(changes), 'subscribeAgain', 'winDispute', 'loseDispute']

/** Counts the changes of each kind. */
export type ChangeCounts = Map<string, number>

/** Makes the rarest change so far that applies to a customer, with ties broken at random. */
export async function changeSubscription(
  at: PaymentSite,
  customer: Customer,
  sold: Sold,
  { counts, random }: { counts: ChangeCounts; random: () => number },
): Promise<void> {
  const { data } = await at.stripe.subscriptions.list({ customer: customer.id, status: 'all' })
  const running = data.find(({ status }) => runningStatuses.includes(status))
  const item = running?.items.data[0]
  if (running === undefined || item === undefined) {
    await subscribe(at, customer, sold.monthly)
    count(counts, 'subscribeAgain')
    return
  }
  const to = item.price.id === sold.monthly ? sold.yearly : sold.monthly
  const ordered = runningChanges
    .map(([kind, run]) => ({ kind, run, rank: (counts.get(kind) ?? 0) + random() }))
    .toSorted((one, other) => one.rank - other.rank)
  for (const { kind, run } of ordered) {
    if (!(await run({ at, customer, running, item, to }))) continue
    count(counts, kind)
    return
  }
}

function count(counts: ChangeCounts, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

async function subscribe(
  { stripe }: PaymentSite,
  { id, goodCard }: Customer,
  price: string,
): Promise<Stripe.Subscription> {
  return await stripe.subscriptions.create({
    customer: id,
    default_payment_method: goodCard,
    items: [{ price }],
  })
}

/** Replaces a subscription's card by a new one. */
async function giveCard(
  { stripe }: PaymentSite,
  { id: customer }: Customer,
  subscriptionId: string,
  testCard: string,
): Promise<void> {
  const card = await stripe.paymentMethods.attach(testCard, { customer })
  await stripe.subscriptions.update(subscriptionId, { default_payment_method: card.id })
}

/** Disputes a customer's newest charge. Returns false if it can't be disputed. */
export async function disputeNewest(at: PaymentSite, customer: Customer): Promise<boolean> {
  const charge = await newestCharge(at, customer)
  if (!charge?.paid || charge.disputed || charge.refunded) return false
  await at.controls.openDispute(charge.id)
  return true
}

/** Decides half of the open disputes, in the fixed order of customers. */
export async function decideDisputes(
  { stripe, controls }: PaymentSite,
  customers: readonly Customer[],
  { counts, random }: { counts: ChangeCounts; random: () => number },
): Promise<void> {
  const places = new Map(customers.map(({ id }, index) => [id, index]))
  const found: { id: string; place: number }[] = []
  for await (const { id, status, charge } of stripe.disputes.list({ limit: 100, expand: ['data.charge'] })) {
    if (status !== 'needs_response' || typeof charge === 'string') continue
    found.push({ id, place: places.get(String(charge.customer)) ?? 0 })
  }
  for (const { id } of found.toSorted((one, other) => one.place - other.place)) {
    const dice = random()
    if (dice >= 0.5) continue
    await controls.closeDispute(id, dice < 0.25 ? 'won' : 'lost')
    count(counts, dice < 0.25 ? 'winDispute' : 'loseDispute')
  }
}

async function schedulePrice(
  { stripe }: PaymentSite,
  running: Stripe.Subscription,
  from: string,
  to: string,
) {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: running.id })
  const [phase] = schedule.phases
  if (phase === undefined) throw new Error(`${schedule.id} has no phase.`)
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      { start_date: phase.start_date, end_date: phase.end_date, items: [{ price: from }] },
      { items: [{ price: to }], duration: { interval: 'month', interval_count: 1 } },
    ],
  })
}

async function newestCharge({ stripe }: PaymentSite, { id: customer }: Customer) {
  return (await stripe.charges.list({ customer, limit: 1 })).data[0]
}

/** Returns whether Stripe accepted a change. */
async function done(change: Promise<unknown>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    const { statusCode } = Object(error)
    if (statusCode !== 400 && statusCode !== 402 && statusCode !== 404) throw error
    return false
  }
}
