import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type Stripe from 'stripe'
import { vi } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/query-rows.ts'
import { startInbox } from '../mail/inbox.ts'
import { createTestMembers } from '../membership.ts'
import { waitForNotifications } from '../other-processes.ts'
import { addGrandPlan, grandPrice } from '../payments/plan-changes.ts'
import { startPaymentSite, testPrices } from '../sites/payment-site.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { waitOptions } from '../wait-options.ts'
import { startClockedWorker } from './clocked-worker.ts'

const graceDays = 4
/** Longer than a process may keep a customer to itself: what a killed one held is free again. */
const leaseMs = 16 * 60_000
/** The coupons of the merchant. The last is given to single customers, by a code. */
export const coupons = {
  ONCE50: { percent_off: 50, duration: 'once' },
  MONTHS3: { percent_off: 50, duration: 'repeating', duration_in_months: 3 },
  FOREVER20: { percent_off: 20, duration: 'forever' },
  LOYAL30: { percent_off: 30, duration: 'forever' },
} as const
export const soldPrices = [testPrices.monthly, testPrices.yearly, grandPrice] as const

export type AuditedSite = Awaited<ReturnType<typeof startAuditedSite>>

/**
 * Starts a site of two API processes and a worker, all with one clock that only moves when told to, a Stripe emulator that
 * loses, doubles and reorders events, and an inbox. Sells three plans, and an almanac that is none.
 */
export async function startAuditedSite({ seed }: { seed: number }) {
  const inbox = await startInbox()
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-audit-'))
  // Failed calls are part of it, and are logged as errors.
  const logger = pino({ level: 'silent' })
  const env = { SMTP_URL: inbox.smtpUrl, PAYMENT_GRACE_DAYS: String(graceDays) }
  const api = { working: false, listening: true }
  const payments = await startPaymentSite({ ...api, env, overrides: { logger } })
  const { site, controls, stripe, databaseUrl } = payments
  const { clock } = site
  const { db } = site.context.database
  await addGrandPlan(site)
  const almanacPriceId = await addAlmanacAndCoupons(stripe)
  const catalog = await readCatalog(site)
  await controls.setWebhooks({ chaos: { loss: 0.3, duplication: 0.1, reordering: 0.2, seed } })
  const second = await startTestApp({ databaseUrl, env: payments.env, ...api, overrides: { clock, logger } })
  const startWorker = () =>
    startClockedWorker({ env: { DATABASE_URL: databaseUrl, ...payments.env }, folder, now: clock.now() })
  let worker = await startWorker()

  /** Throws while an event or a job waits. A job that failed is retried at once. */
  async function requireSettled(): Promise<void> {
    await db.$executeRaw`UPDATE jobs.job SET start_after = now() WHERE state = 'retry' AND start_after > now()`
    const { pending } = await controls.deliveries()
    const [due] = await queryRows(db, z.object({ jobs: z.bigint() }))`
      SELECT count(*) AS jobs FROM jobs.job
      WHERE state = 'active' OR state IN ('created', 'retry') AND start_after <= now()`
    if (pending > 0 || due?.jobs !== 0n)
      throw new Error(`${pending} events and ${due?.jobs} jobs are pending.`)
  }

  async function settle(): Promise<void> {
    await controls.clearFaults()
    await vi.waitFor(requireSettled, { timeout: waitOptions.timeout, interval: 50 })
    await payments.settle()
  }

  const isOwn = ({ items }: Stripe.Subscription) => catalog.soldIds.includes(items.data[0]?.price.id ?? '')

  async function pass(ms: number): Promise<void> {
    clock.pass(ms)
    await worker.moveTo(clock.now())
    await controls.advanceTime(0)
  }

  return {
    ...payments,
    clock,
    db,
    inbox,
    catalog,
    almanacPriceId,
    graceSeconds: graceDays * 86_400,
    /** Both processes of the API, as clients call them. */
    processes: [site, second].map((one, index) => ({ name: `API ${index + 1}`, ...createTestMembers(one) })),
    /** Moves every clock, and lets Stripe do what is due until then. */
    pass,
    settle,
    /** Returns a member's newest running subscription to one of the plans. */
    async ownSubscriptionOf({ customerIds }: { customerIds: ReadonlySet<string> }) {
      for (const customer of customerIds) {
        const { data } = await stripe.subscriptions.list({ customer, limit: 100 })
        const own = data.find(isOwn)
        if (own !== undefined) return own
      }
      return undefined
    },
    async hasOneSubscription({ customerIds }: { customerIds: ReadonlySet<string> }) {
      const lists = [...customerIds].map((customer) => stripe.subscriptions.list({ customer, limit: 100 }))
      return (await Promise.all(lists)).flatMap(({ data }) => data).filter(isOwn).length === 1
    },
    /** Does what the site does by itself at night, until nothing is left to do. */
    async reconcile(): Promise<void> {
      await settle()
      await site.context.reconciliation.sweep()
      await site.context.reconciliation.reconcile({ isForced: true })
      await settle()
      await Promise.all([site, second].map(waitForNotifications))
    },
    /** Kills the worker in whatever it does, and starts another one, which takes over its jobs. */
    async replaceWorker(): Promise<void> {
      await worker.kill()
      // As the queue does after some seconds without a heartbeat.
      await db.$executeRaw`UPDATE jobs.job SET state = 'retry', start_after = now() WHERE state = 'active'`
      worker = await startWorker()
      await pass(leaseMs)
    },
    async close(): Promise<void> {
      await worker.kill()
      await second.close()
      await payments.close()
      await inbox.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Adds what the merchant has at Stripe besides the site's plans. Returns the price of the almanac. */
async function addAlmanacAndCoupons(stripe: Stripe): Promise<string> {
  const almanac = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 1_900,
    recurring: { interval: 'month' },
    product: (await stripe.products.create({ name: 'Almanac' })).id,
  })
  for (const [id, coupon] of Object.entries(coupons))
    await stripe.coupons.create({ id, ...coupon, metadata: { public: id === 'LOYAL30' ? '' : 'true' } })
  return almanac.id
}

async function readCatalog({ context }: TestApp) {
  const sold = await context.database.db.stripePrice.findMany()
  return {
    appId: context.config.site.appId,
    soldIds: sold.map(({ id }) => id),
    amounts: sold.map(({ amount }) => amount),
    planByProduct: new Map(sold.map(({ productId, planId }) => [productId, planId])),
  }
}
