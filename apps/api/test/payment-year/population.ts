import { memberIdPrefix } from '#features/members/index.ts'
import { secondsOf } from '#integrations/payments/stripe/client/client.ts'
import { testCards } from '../payments/payment-actions.ts'
import { type PaymentSite, testPrices } from '../sites/payment-site.ts'

// Stripe's limit.
const customersPerClock = 3
const concurrency = 8

/** A paying member with a card that works. */
export type Customer = { id: string; memberId: string; goodCard: string }

/** The ids of the two sold prices at Stripe. */
export type Sold = { monthly: string; yearly: string }

export type Population = { customers: Customer[]; clockIds: string[]; sold: Sold }

/** Runs eight items concurrently. */
export async function eachOf<T>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  async function work(): Promise<void> {
    for (const [index, item] of queue) await run(item, index)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

/** Creates members with a customer on a test clock, a card and a subscription. */
export async function createPopulation(
  at: PaymentSite,
  memberCount: number,
  random: () => number,
): Promise<Population> {
  const { clock, config, database, ids } = at.site.context
  const { appId } = config.site
  const sold = await findSold(at)
  const choices = Array.from({ length: memberCount }, random)
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
    customers[index] = { id, memberId: ids.public(memberIdPrefix), goodCard }
  })
  const now = clock.now()
  await database.db.member.createMany({
    data: customers.map(({ id, memberId }, index) => ({
      id: memberId,
      appId,
      email: `year-${index}@example.com`,
      stripeCustomerId: id,
      termsAcceptedAt: now,
      createdAt: now,
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
  return { customers, clockIds, sold }
}

async function findSold({ site }: PaymentSite): Promise<Sold> {
  const find = (priceId: string) =>
    site.context.database.db.stripePrice.findFirstOrThrow({ where: { priceId, current: true } })
  const [monthly, yearly] = await Promise.all([find(testPrices.monthly), find(testPrices.yearly)])
  return { monthly: monthly.id, yearly: yearly.id }
}
