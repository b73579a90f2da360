import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '@tidings/launcher/run-command'
import { environmentWithoutSettings } from '@tidings/launcher/settings'
import { membershipSettings } from '../calls/membership.ts'
import type { MembersSize } from '../data/databases.ts'
import { fillPayers, type Payer, saveCustomers } from '../data/fill-payers.ts'
import type { Lifetime } from '../programs/lifetime.ts'
import { whole } from '../results/figures.ts'
import { productionSettings } from './api.ts'
import type { Bench } from './bench.ts'
import { builtTidings } from './built.ts'
import { type Emulators, startEmulators } from './emulators.ts'
import { type MembersSite, startMembersSite } from './members-site.ts'
import { startWorker } from './worker.ts'

const timeoutMs = 120_000
const pollMs = 25
const concurrency = 8

/** A site with a worker, and members with subscriptions at the Stripe emulator. */
export type PaymentsSite = MembersSite & {
  databaseUrl: string
  emulators: Emulators
  customerIds: string[]
  /** One of the subscriptions, as Stripe returns it. */
  subscription: object
  /** Toggles the cancellation of all subscriptions, without events. */
  changeSubscriptions(): Promise<void>
  /** Resolves once every customer is synced. */
  waitForSyncs(): Promise<void>
  /** Resolves once every job is done. */
  waitForJobs(): Promise<void>
  /** Resolves once every requested sweep is done. */
  waitForSweeps(): Promise<void>
}

/** Starts the API, the worker and the emulators, and creates the subscriptions. */
export async function startPaymentsSite(
  bench: Bench,
  lifetime: Lifetime,
  { name, customers: count, size = 'paying' }: { name: string; customers: number; size?: MembersSize },
): Promise<PaymentsSite> {
  const { members, dataDir } = await bench.databases()
  const databaseUrl = await members(size)
  const emulators = await startEmulators(lifetime, { name: `${name}-emulators`, dataDir })
  const { settings } = emulators
  const site = await startMembersSite(bench, lifetime, { name: `${name}-api`, size, settings })
  const { database, passwordHash } = site
  const siteUrl = site.api.url
  const env = { ...membershipSettings, ...settings }
  await offerPrices({ ...env, SITE_URL: siteUrl, DATABASE_URL: databaseUrl, DATA_DIR: dataDir })

  const subscribed = await bench.progress.step(`Creating ${whole(count)} subscriptions`, async () => {
    const { rows } = await database.query<{ id: string }>(
      'SELECT id FROM stripe_price WHERE current ORDER BY id LIMIT 1',
    )
    const priceId = rows[0]?.id ?? ''
    const payers = await fillPayers(database, { count, passwordHash })
    return await forAll(payers, (payer) => subscribe(emulators, payer, priceId))
  })
  await saveCustomers(database, subscribed)
  const [first] = subscribed
  if (first === undefined) throw new Error('There are no subscriptions.')
  const worker = startWorker(lifetime, {
    name: `${name}-worker`,
    siteUrl,
    databaseUrl,
    dataDir,
    settings: env,
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
    emulators,
    customerIds: subscribed.map(({ id }) => id),
    subscription: await emulators.call('GET', `subscriptions/${first.subscriptionId}`),
    async changeSubscriptions() {
      endsWithPeriod = !endsWithPeriod
      const fields = { cancel_at_period_end: String(endsWithPeriod) }
      await forAll(subscribed, ({ subscriptionId }) =>
        emulators.call('POST', `subscriptions/${subscriptionId}`, fields),
      )
    },
    waitForSyncs: () =>
      wait(
        'Every customer is synced',
        'SELECT FROM payment_customer WHERE sync_requested_at IS NOT NULL OR leased_until IS NOT NULL',
      ),
    waitForJobs: () =>
      wait(
        'Every job is done',
        `SELECT FROM jobs.job WHERE name IN ('billing.sync-customer', 'mail.send-email') AND state < 'completed'`,
      ),
    waitForSweeps: () =>
      wait(
        'Everything is swept',
        `SELECT FROM jobs.job WHERE name = 'billing.sweep' AND state < 'completed'`,
      ),
  }
}

/** Creates the app's prices at the emulator. */
async function offerPrices(settings: Record<string, string>): Promise<void> {
  const env = { ...environmentWithoutSettings(), ...productionSettings, ...settings }
  const args = [builtTidings, 'payments', 'sync']
  const { code, stdout, stderr } = await runCommand(process.execPath, args, { env })
  if (code !== 0) throw new Error(`The plans could not be created: ${stderr.trim() || stdout.trim()}`)
}

async function subscribe(emulators: Emulators, { memberId, email }: Payer, priceId: string) {
  const { id } = await emulators.call('POST', 'customers', { email })
  const card = await emulators.call('POST', 'payment_methods/pm_card_visa/attach', { customer: id })
  await emulators.call('POST', `customers/${id}`, { 'invoice_settings[default_payment_method]': card.id })
  const { id: subscriptionId } = await emulators.call('POST', 'subscriptions', {
    customer: id,
    'items[0][price]': priceId,
  })
  return { id, memberId, subscriptionId }
}

/** Runs work for each item with limited concurrency. Returns the results in order. */
async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += concurrency) {
    results.push(...(await Promise.all(items.slice(start, start + concurrency).map(work))))
  }
  return results
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within two minutes.`)
    await pause(pollMs)
  }
}
