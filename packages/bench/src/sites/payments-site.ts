import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '@tidings/launcher/run-command'
import { environmentWithoutSettings } from '@tidings/launcher/settings'
import type { Bench } from '../bench.ts'
import { membershipSettings } from '../calls/membership.ts'
import type { MembersSize } from '../data/databases.ts'
import { fillPayers, noteCustomers, type Payer } from '../data/fill-payers.ts'
import type { Lifetime } from '../lifetime.ts'
import { whole } from '../results/figures.ts'
import { productionSettings } from './api.ts'
import { builtPayments } from './built.ts'
import { type MembersSite, startMembersSite } from './members-site.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import { startWorker } from './worker.ts'

const patienceMs = 120_000
const lookEveryMs = 25
const callsAtOnce = 8

/** A site with a worker, and members who have subscribed at the stand-in for Stripe. */
export type PaymentsSite = MembersSite & {
  databaseUrl: string
  standIn: StandIn
  customerIds: string[]
  /** One of the subscriptions, as Stripe shows it. */
  subscription: object
  /** Has all subscriptions end with their period, or no longer: nobody is told. */
  changeSubscriptions(): Promise<void>
  /** Resolves once nobody is to be read any more. */
  becomeRead(): Promise<void>
  /** Resolves once no job of it is left. */
  becomeQuiet(): Promise<void>
  /** Resolves once the worker has done every sweep that was asked for. */
  becomeSwept(): Promise<void>
}

/** Starts API, worker and stand-in, and has so many members subscribe. */
export async function startPaymentsSite(
  bench: Bench,
  lifetime: Lifetime,
  { name, customers: count, size = 'paying' }: { name: string; customers: number; size?: MembersSize },
): Promise<PaymentsSite> {
  const { members, dataDir } = await bench.databases()
  const databaseUrl = await members(size)
  const standIn = await startStandIn(lifetime, { name: `${name}-stand-in`, dataDir })
  const { settings } = standIn
  const site = await startMembersSite(bench, lifetime, { name: `${name}-api`, size, settings })
  const { database, passwordHash } = site
  const siteUrl = site.api.url
  const env = { ...membershipSettings, ...settings }
  await offerPrices({ ...env, SITE_URL: siteUrl, DATABASE_URL: databaseUrl, DATA_DIR: dataDir })

  const subscribed = await bench.progress.step(`Having ${whole(count)} members subscribe`, async () => {
    const { rows } = await database.query<{ id: string }>(
      'SELECT id FROM stripe_price WHERE current ORDER BY id LIMIT 1',
    )
    const priceId = rows[0]?.id ?? ''
    const payers = await fillPayers(database, { count, passwordHash })
    return await forAll(payers, (payer) => subscribe(standIn, payer, priceId))
  })
  await noteCustomers(database, subscribed)
  const [first] = subscribed
  if (first === undefined) throw new Error('Nobody has subscribed.')
  const worker = startWorker(lifetime, {
    name: `${name}-worker`,
    ...{ siteUrl, databaseUrl, dataDir, settings: env },
  })
  let endsWithPeriod = false

  async function isNone(sql: string): Promise<boolean> {
    return (await database.query(sql)).rowCount === 0
  }

  const wait = (what: string, sql: string) =>
    Promise.race([worker.failure, until(what, () => isNone(`${sql} LIMIT 1`))])

  return {
    ...site,
    databaseUrl,
    standIn,
    customerIds: subscribed.map(({ id }) => id),
    subscription: await standIn.call('GET', `subscriptions/${first.subscriptionId}`),
    async changeSubscriptions() {
      endsWithPeriod = !endsWithPeriod
      const fields = { cancel_at_period_end: String(endsWithPeriod) }
      await forAll(subscribed, ({ subscriptionId }) =>
        standIn.call('POST', `subscriptions/${subscriptionId}`, fields),
      )
    },
    becomeRead: () =>
      wait('Every customer is read', 'SELECT FROM payment_customer WHERE wanted > done ORDER BY wanted_at'),
    becomeQuiet: () =>
      wait(
        'Every job is done',
        `SELECT FROM jobs.job WHERE name IN ('billing.sync-customer', 'mail.send-email') AND state < 'completed'`,
      ),
    becomeSwept: () =>
      wait(
        'Everything is swept',
        `SELECT FROM jobs.job WHERE name = 'billing.sweep' AND state < 'completed'`,
      ),
  }
}

/** Has the stand-in sell what the site's app sells. */
async function offerPrices(settings: Record<string, string>): Promise<void> {
  const env = { ...environmentWithoutSettings(), ...productionSettings, ...settings }
  const { code, stdout, stderr } = await runCommand(process.execPath, [builtPayments, 'sync'], { env })
  if (code !== 0) throw new Error(`The plans are not for sale: ${stderr.trim() || stdout.trim()}`)
}

async function subscribe(standIn: StandIn, { memberId, email }: Payer, priceId: string) {
  const { id } = await standIn.call('POST', 'customers', { email })
  const card = await standIn.call('POST', 'payment_methods/pm_card_visa/attach', { customer: id })
  const { id: subscriptionId } = await standIn.call('POST', 'subscriptions', {
    customer: id,
    default_payment_method: card.id,
    'items[0][price]': priceId,
  })
  return { id, memberId, subscriptionId }
}

/** Does something for each, a few at a time, and answers in their order. */
async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let begun = 0; begun < items.length; begun += callsAtOnce) {
    results.push(...(await Promise.all(items.slice(begun, begun + callsAtOnce).map(work))))
  }
  return results
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within two minutes.`)
    await pause(lookEveryMs)
  }
}
