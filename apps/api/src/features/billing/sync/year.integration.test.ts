import type Stripe from 'stripe'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { secondsOf } from '#integrations/payments/stripe/client.ts'
import { testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const memberCount = 150
/** Share of the members who act in a month. */
const activeShare = 0.12
// Stripe's limit.
const customersPerClock = 3
const months = 12
const dayMs = 24 * 3_600_000
const graceDays = 4
const runningStatuses = ['trialing', 'active', 'past_due', 'unpaid', 'paused']
const charging = ['trialing', 'active', 'past_due']

type Customer = { id: string; memberId: string; goodCard: string }
type Population = { customers: Customer[]; clockIds: string[] }
type Sold = { monthly: string; yearly: string }

/** Returns a seeded random generator. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Runs eight concurrently. */
async function eachOf<T>(items: readonly T[], run: (item: T, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries()
  async function work(): Promise<void> {
    for (const [index, item] of queue) await run(item, index)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

/** Creates members with a customer, a card and a subscription. */
async function createPopulation(at: PaymentSite, sold: Sold, random: () => number): Promise<Population> {
  const { clock, config, database, ids } = at.site.context
  const { appId } = config.site
  const choices = Array.from({ length: memberCount }, () => random())
  const clockIds: string[] = []
  await eachOf(Array.from({ length: Math.ceil(memberCount / customersPerClock) }), async (_none, index) => {
    const { id } = await at.stripe.testHelpers.testClocks.create({ frozen_time: secondsOf(clock.now()) })
    clockIds[index] = id
  })
  const customers: Customer[] = []
  await eachOf(choices, async (_choice, index) => {
    const { id } = await at.stripe.customers.create({
      email: `year-${index}@example.com`,
      test_clock: clockIds[Math.floor(index / customersPerClock)] ?? '',
    })
    const { id: goodCard } = await at.stripe.paymentMethods.attach(testCards.good, { customer: id })
    customers[index] = { id, memberId: ids.public('mem'), goodCard }
  })
  const now = clock.now()
  await database.db.member.createMany({
    data: customers.map(({ id, memberId }, index) => ({
      ...{ id: memberId, appId, email: `year-${index}@example.com`, stripeCustomerId: id },
      ...{ termsAcceptedAt: now, createdAt: now },
    })),
  })
  await database.db.paymentCustomer.createMany({
    data: customers.map(({ id, memberId }) => ({ id, memberId, appId, createdAt: now })),
  })
  await eachOf(customers, async ({ id, goodCard }, index) => {
    const choice = choices[index] ?? 0
    await at.stripe.subscriptions.create({
      customer: id,
      default_payment_method: goodCard,
      items: [{ price: choice < 0.6 ? sold.monthly : sold.yearly }],
      ...(index % 3 === 0 ? { trial_period_days: 1 + (index % 29) } : {}),
    })
  })
  return { customers, clockIds }
}

/** Makes a random change; ignores Stripe's refusals. */
async function act(at: PaymentSite, { id, goodCard }: Customer, sold: Sold, dice: number): Promise<void> {
  const { stripe } = at
  const paying = { customer: id, default_payment_method: goodCard }
  const { data } = await stripe.subscriptions.list({ customer: id, status: 'all' })
  const running = data.find(({ status }) => runningStatuses.includes(status))
  if (running === undefined) {
    await stripe.subscriptions.create({ ...paying, items: [{ price: sold.monthly }] })
    return
  }
  const item = running.items.data[0]
  const to = item?.price.id === sold.monthly ? sold.yearly : sold.monthly
  const actions = [
    () => stripe.subscriptions.update(running.id, { items: [{ id: item?.id ?? '', price: to }] }),
    () => stripe.subscriptions.update(running.id, { cancel_at_period_end: true }),
    () => stripe.subscriptions.update(running.id, { cancel_at_period_end: false }),
    () => stripe.subscriptions.cancel(running.id),
    ...Array.from({ length: 3 }, () => () => breakCard(at, id, running.id)),
    () => stripe.subscriptions.update(running.id, { default_payment_method: goodCard }),
    async () => {
      const schedule = await stripe.subscriptionSchedules.create({ from_subscription: running.id })
      const [phase] = schedule.phases
      if (phase === undefined || item === undefined) return
      await stripe.subscriptionSchedules.update(schedule.id, {
        end_behavior: 'release',
        phases: [
          { start_date: phase.start_date, end_date: phase.end_date, items: [{ price: item.price.id }] },
          { items: [{ price: to }], duration: { interval: 'month', interval_count: 1 } },
        ],
      })
    },
    async () => {
      const charge = (await stripe.charges.list({ customer: id, limit: 1 })).data[0]
      if (charge !== undefined) await stripe.refunds.create({ charge: charge.id })
    },
    () => disputeNewest(at, id),
    // A duplicate subscription.
    () => stripe.subscriptions.create({ ...paying, items: [{ price: to }] }),
  ]
  await actions[Math.floor(dice * actions.length)]?.().catch(ignoreRefusal)
}

/** Replaces a subscription's card by one that fails. */
async function breakCard({ stripe }: PaymentSite, customer: string, subscriptionId: string): Promise<void> {
  const card = await stripe.paymentMethods.attach(testCards.failsLater, { customer })
  await stripe.subscriptions.update(subscriptionId, { default_payment_method: card.id })
}

/** Breaks cards of members with different billing days, so that some grace periods end before the year does. */
async function breakSomeCards(at: PaymentSite, customers: readonly Customer[]): Promise<void> {
  const chosen = customers.filter((_customer, index) => index % 3 === 0)
  await eachOf(chosen, async ({ id }) => {
    const { data } = await at.stripe.subscriptions.list({ customer: id })
    for (const running of data) await breakCard(at, id, running.id)
  })
}

async function disputeNewest({ stripe, controls }: PaymentSite, customer: string): Promise<void> {
  const charge = (await stripe.charges.list({ customer, limit: 1 })).data[0]
  if (charge?.paid && !charge.disputed && !charge.refunded) await controls.openDispute(charge.id)
}

/** Decides half of the open disputes, in the fixed order of customers. */
async function decideDisputes(
  { stripe, controls }: PaymentSite,
  customers: readonly Customer[],
  random: () => number,
): Promise<void> {
  const places = new Map(customers.map(({ id }, index) => [id, index]))
  const found: { id: string; place: number }[] = []
  for await (const { id, status, charge } of stripe.disputes.list({ limit: 100, expand: ['data.charge'] })) {
    if (status !== 'needs_response' || typeof charge === 'string') continue
    found.push({ id, place: places.get(String(charge.customer)) ?? 0 })
  }
  for (const { id } of found.toSorted((one, other) => one.place - other.place)) {
    const dice = random()
    if (dice < 0.5) await controls.closeDispute(id, dice < 0.25 ? 'won' : 'lost')
  }
}

function ignoreRefusal(error: unknown): void {
  const { statusCode } = Object(error)
  if (statusCode !== 400 && statusCode !== 402 && statusCode !== 404) throw error
}

/** A plan in the member's record, or as derived from Stripe. */
type Plan = {
  planId: string
  status: string
  active: boolean
  priceId: string
  amount: number
  nextBillingDate: string | null
  cancelAtDate: string | null
}

/** Returns subscriptions with an open or lost dispute. */
async function disputedSubscriptions({ stripe }: PaymentSite): Promise<Set<string>> {
  const disputed = new Set<string>()
  for await (const { payment_intent: intent, status } of stripe.disputes.list({ limit: 100 })) {
    if (status === 'won') continue
    const { data: payments } = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: String(intent) },
    })
    const invoice = await stripe.invoices.retrieve(String(payments[0]?.invoice))
    disputed.add(String(invoice.parent?.subscription_details?.subscription))
  }
  return disputed
}

/** Derives a customer's plans from Stripe's objects. */
async function expectedPlansOf(
  at: PaymentSite,
  { id }: Customer,
  now: Date,
  disputed: ReadonlySet<string>,
): Promise<Plan[]> {
  const { data } = await at.stripe.subscriptions.list({
    ...{ customer: id, status: 'all', limit: 100 },
    expand: ['data.items.data.price'],
  })
  const byPlan = new Map<string, Stripe.Subscription>()
  // Newest first; a running subscription replaces any other.
  for (const subscription of data) {
    if (subscription.status.startsWith('incomplete')) continue
    const planId = planIdOf(subscription)
    const known = byPlan.get(planId)
    if (known === undefined || runningStatuses.includes(subscription.status)) byPlan.set(planId, subscription)
  }
  expect(data.filter(({ status }) => runningStatuses.includes(status)).length).toBeLessThanOrEqual(1)
  const plans: Plan[] = []
  for (const [planId, subscription] of byPlan) {
    const { status, items, cancel_at: cancelAt, ended_at: endedAt } = subscription
    const [item] = items.data
    if (item === undefined) throw new Error(`${subscription.id} has no item.`)
    const filter = { subscription: subscription.id, status: 'open' as const, limit: 100 }
    const open = status === 'past_due' ? (await at.stripe.invoices.list(filter)).data : []
    const unpaidSince = Math.min(...open.map(({ created }) => created * 1_000))
    const isRunning = runningStatuses.includes(status)
    const ends = isRunning ? cancelAt : endedAt
    expect(isRunning && disputed.has(subscription.id)).toBe(false)
    plans.push({
      planId,
      status: status.toUpperCase(),
      active:
        status === 'active' ||
        status === 'trialing' ||
        (status === 'past_due' && now.getTime() < unpaidSince + graceDays * dayMs),
      priceId: item.price.metadata.price ?? '',
      amount: (item.price.unit_amount ?? 0) / 100,
      nextBillingDate: charging.includes(status) && ends === null ? isoOf(item.current_period_end) : null,
      cancelAtDate: ends === null ? null : isoOf(ends),
    })
  }
  return plans.toSorted(byPlanId)
}

function planIdOf({ items }: Stripe.Subscription): string {
  return items.data[0]?.price.metadata.plan ?? ''
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}

function byPlanId(one: { planId: string }, other: { planId: string }): number {
  return one.planId < other.planId ? -1 : 1
}

/** Returns the plans of a member's record. */
async function recordedPlansOf(at: PaymentSite, { memberId }: Customer): Promise<Plan[]> {
  const { membershipApps, members } = at.site.context
  const { planConnections } = await members.get(await membershipApps.siteApp(), memberId)
  return planConnections
    .map(({ planId, status, active, payment }) => ({
      ...{ planId, status, active },
      priceId: payment?.priceId ?? '',
      amount: payment?.amount ?? 0,
      nextBillingDate: payment?.nextBillingDate ?? null,
      cancelAtDate: payment?.cancelAtDate ?? null,
    }))
    .toSorted(byPlanId)
}

describe('a year of random changes', () => {
  it('ends with the plans that Stripe has, although most events are lost', async () => {
    const at = await startPaymentSite({ env: { PAYMENT_GRACE_DAYS: String(graceDays) } })
    onTestFinished(() => at.close())
    const { context, clock } = at.site
    const random = createRandom(20_261_120)
    const { db } = context.database
    const [monthly, yearly] = await Promise.all(
      [testPrices.monthly, testPrices.yearly].map((priceId) =>
        db.stripePrice.findFirstOrThrow({ where: { priceId } }),
      ),
    )
    const sold = { monthly: monthly?.id ?? '', yearly: yearly?.id ?? '' }
    await at.controls.setWebhooks({ chaos: { loss: 0.85, duplication: 0.2, reordering: 0.3, seed: 7 } })
    const settled = () => vi.waitFor(() => at.settle(), waitOptions)

    const { customers, clockIds } = await createPopulation(at, sold, random)
    await settled()
    for (let month = 1; month <= months; month += 1) {
      clock.pass(30 * dayMs)
      await eachOf(clockIds, async (id) => {
        await at.stripe.testHelpers.testClocks.advance(id, { frozen_time: secondsOf(clock.now()) })
      })
      const busy = customers.flatMap((customer) =>
        random() < activeShare ? [{ customer, dice: random() }] : [],
      )
      await eachOf(busy, ({ customer, dice }) => act(at, customer, sold, dice))
      await decideDisputes(at, customers, random)
      if (month === months - 1) await breakSomeCards(at, customers)
      if (month === months) await eachOf(customers.slice(0, 20), ({ id }) => disputeNewest(at, id))
      await settled()
    }
    const { changes } = await context.reconciliation.reconcile({ isForced: true })
    await settled()

    const wrong: unknown[] = []
    const disputed = await disputedSubscriptions(at)
    const statuses = new Set<string>()
    await eachOf(customers, async (customer) => {
      const expected = await expectedPlansOf(at, customer, clock.now(), disputed)
      const recorded = await recordedPlansOf(at, customer)
      for (const { status, active } of expected) statuses.add(`${status} ${active}`)
      if (JSON.stringify(expected) !== JSON.stringify(recorded)) wrong.push({ customer, expected, recorded })
    })
    expect(wrong).toEqual([])
    expect([...statuses]).toEqual(
      expect.arrayContaining([...['ACTIVE true', 'CANCELED false', 'PAST_DUE true', 'PAST_DUE false']]),
    )
    expect(disputed.size).toBeGreaterThan(10)
    expect(changes.length).toBeGreaterThan(0)
  }, 120_000)
})
