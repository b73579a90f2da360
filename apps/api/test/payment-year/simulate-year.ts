import { vi } from 'vitest'
import { secondsOf } from '#integrations/payments/stripe/client/client.ts'
import { testCards } from '../payments/payment-actions.ts'
import { createRandom } from '../random.ts'
import type { PaymentSite } from '../sites/payment-site.ts'
import { waitOptions } from '../wait-options.ts'
import { type ChangeCounts, changeSubscription, decideDisputes, disputeNewest } from './changes.ts'
import { disputedSubscriptions, expectedPlansOf, recordedPlansOf } from './expected-plans.ts'
import { type Customer, createPopulation, eachOf, type Sold } from './population.ts'

const months = 12
const dayMs = 24 * 3_600_000
const graceDays = 4
const chaos = { loss: 0.85, duplication: 0.2, reordering: 0.3, seed: 7 }

/** The options of the site of a simulated year. */
export const yearSite = { env: { PAYMENT_GRACE_DAYS: String(graceDays) } }

/**
 * Simulates a year of members who change and cancel subscriptions, lose cards and dispute charges, while most events
 * are lost. Reconciles at the end, and returns the members whose plans differ from Stripe's.
 */
export async function simulateYear(
  at: PaymentSite,
  { memberCount, changesPerMonth }: { memberCount: number; changesPerMonth: number },
) {
  const { context, clock } = at.site
  const random = createRandom(20_261_120)
  const counts: ChangeCounts = new Map()
  const settle = () => vi.waitFor(() => at.settle(), { ...waitOptions, timeout: 600_000 })
  await at.controls.setWebhooks({ chaos })

  const { customers, clockIds, sold } = await createPopulation(at, memberCount, random)
  const unpaid = customers.slice(-Math.ceil(memberCount / 5))
  await settle()
  for (let month = 1; month <= months; month += 1) {
    clock.pass(30 * dayMs)
    await eachOf(clockIds, async (id) => {
      await at.stripe.testHelpers.testClocks.advance(id, { frozen_time: secondsOf(clock.now()) })
    })
    // Only reconciliation can find the changes of the last month.
    if (month === months) await at.controls.setWebhooks({ chaos: { ...chaos, loss: 1 } })
    // No change may repair a failed renewal of the last month.
    const changing = month === months ? customers.slice(0, -unpaid.length) : customers
    for (const customer of chooseSome(changing, changesPerMonth, random)) {
      await changeSubscription(at, customer, sold, { counts, random })
    }
    await decideDisputes(at, customers, { counts, random })
    if (month === months - 1) await failLastRenewals(at, unpaid, sold)
    if (month === months)
      for (const customer of customers.slice(0, memberCount / 8)) await disputeNewest(at, customer)
    await settle()
  }
  const { changes: repaired } = await context.reconciliation.reconcile({ isForced: true })
  await settle()

  const different: unknown[] = []
  const disputed = await disputedSubscriptions(at)
  const statuses = new Set<string>()
  await eachOf(customers, async (customer) => {
    const facts = { now: clock.now(), graceMs: graceDays * dayMs, disputed }
    const expected = await expectedPlansOf(at, customer, facts)
    const recorded = await recordedPlansOf(at, customer)
    for (const { status, active } of expected) statuses.add(`${status} ${active}`)
    if (JSON.stringify(expected) !== JSON.stringify(recorded))
      different.push({ customer, expected, recorded })
  })
  return { different, counts, statuses: [...statuses], disputed: disputed.size, repaired: repaired.length }
}

/** Gives some members a trial whose first payment fails in the last month, before and within the grace period. */
async function failLastRenewals(
  { stripe }: PaymentSite,
  unpaid: readonly Customer[],
  sold: Sold,
): Promise<void> {
  await eachOf(unpaid, async ({ id: customer }, index) => {
    const { data } = await stripe.subscriptions.list({ customer })
    for (const running of data) await stripe.subscriptions.cancel(running.id)
    // A credit would pay the renewal.
    await stripe.customers.update(customer, { balance: 0 })
    const card = await stripe.paymentMethods.attach(testCards.failsLater, { customer })
    await stripe.subscriptions.create({
      customer,
      default_payment_method: card.id,
      items: [{ price: sold.monthly }],
      trial_period_days: index % 2 === 0 ? 20 : 28,
    })
  })
}

/** Returns a number of customers, each at most once. */
function chooseSome(customers: readonly Customer[], size: number, random: () => number): Customer[] {
  const ranked = customers.map((customer) => ({ customer, rank: random() }))
  const chosen = ranked.toSorted((one, other) => one.rank - other.rank).slice(0, size)
  return chosen.map(({ customer }) => customer)
}
