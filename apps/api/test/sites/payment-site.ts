import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import type { Member } from '@tidings/contracts/membership/members'
import { stripeAdmin } from '@tidings/emulators/stripe/admin/client'
import { createEmulator, stripeAt } from '@tidings/emulators/stripe/testing/start-emulator'
import { vi } from 'vitest'
import { z } from 'zod'
import { createLazyPaymentGateway } from '#integrations/payments/lazy-payment-gateway.ts'
import { createStripePaymentGateway } from '#integrations/payments/stripe/stripe-payment-gateway.ts'
import { queryRows } from '#platform/query-rows.ts'
import { createCapturedLog } from '../captured-log.ts'
import { createTestMembers, type TestMember } from '../membership.ts'
import { startTestApp, type TestApp, type TestAppOptions, testNow } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { createCheckouts } from './checkouts.ts'
import { startEarlyServer } from './early-server.ts'

const webhookSecret = 'whsec_of_the_tests'
const secretKey = 'sk_test_tidings_local'

/** The prices of a new site's app. */
export const testPrices = {
  monthly: 'prc_monthly-plan-8k3v5n1wqe',
  yearly: 'prc_yearly-plan-2r6x9m4tgc',
} as const

export type PaymentSite = Awaited<ReturnType<typeof startPaymentSite>>

/** Options of the app and the Stripe emulator; `stripeTimeoutMs` is the timeout of calls to Stripe. */
export type PaymentSiteOptions = Partial<TestAppOptions> & {
  stripe?: Parameters<typeof createEmulator>[0]
  stripeTimeoutMs?: number
}

/** Starts a site with a Stripe emulator over HTTP, with synced prices. Both use the site's clock. */
export async function startPaymentSite(options: PaymentSiteOptions = {}) {
  const started = await preparePaymentSite(options)
  await started.startFile()
  return started
}

/** Starts a site whose Stripe emulator starts with `startFile`. */
export async function preparePaymentSite({
  stripe: stripeOptions = {},
  stripeTimeoutMs,
  ...options
}: PaymentSiteOptions = {}) {
  const server = await startEarlyServer()
  const stripeServer = await startEarlyServer()
  const webhookUrl = server.url + receiveStripeEvent.path
  let clock: TestApp['clock'] | null = null
  let emulator: ReturnType<typeof createEmulator> | null = null
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase())
  const env = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: stripeServer.url,
    ...options.env,
  }
  const stripeGateway = createStripePaymentGateway({
    secretKey,
    webhookSecrets: [webhookSecret],
    apiUrl: new URL(stripeServer.url),
    timeoutMs: stripeTimeoutMs,
    clock: { now: () => clock?.now() ?? testNow },
    logger: options.overrides?.logger ?? createCapturedLog().logger,
    findStored: async () => null,
  })
  const gateway = createLazyPaymentGateway(async () => stripeGateway)
  const overrides = { ...(stripeTimeoutMs === undefined ? {} : { gateway }), ...options.overrides }
  const site = await startTestApp({ ...options, databaseUrl, env, overrides })
  clock = site.clock
  server.routeTo(site.app)

  const members = createTestMembers(site)
  const controls = stripeAdmin(stripeServer.url)
  const stripe = stripeAt(stripeServer.url, secretKey)
  const checkouts = createCheckouts({ site, members, stripe })
  const settle = () => waitForSyncs(site, controls)

  /** Starts an emulator without customers and syncs the prices. */
  async function startFile(): Promise<void> {
    emulator = createEmulator({
      now: () => site.clock.now(),
      webhookUrl,
      webhookSecret,
      webhookRetryDelaysMs: [20],
      ...stripeOptions,
    })
    await emulator.app.ready()
    stripeServer.routeTo(emulator.app)
    await site.context.syncCatalog(() => {})
  }

  async function endFile(): Promise<void> {
    await emulator?.stop()
    emulator = null
    stripeServer.routeTo(null)
  }

  return {
    site,
    members,
    controls,
    ...checkouts,
    settle,
    webhookUrl,
    webhookSecret,
    secretKey,
    databaseUrl,
    env,
    stripeUrl: stripeServer.url,
    expectNoErrors: site.expectNoErrors,
    startFile,
    endFile,
    /** Stops the emulator until the next file. */
    stopStripe: endFile,
    /** Stripe's SDK, connected to the emulator. */
    stripe,
    /** Pays a checkout as a member and waits for the sync. */
    async subscribe(member: TestMember, priceId: string, pay: { card?: string } = {}): Promise<Member> {
      await controls.completeCheckout(await checkouts.openCheckout(member, priceId), pay)
      await settle()
      return await checkouts.memberOf(member)
    },
    async close(): Promise<void> {
      // Closed first, so that pending requests still find the emulator.
      await server.close()
      await endFile()
      await stripeServer.close()
      await site.close()
    },
  }
}

/** Waits until every event is delivered and every requested sync is completed. */
async function waitForSyncs({ context }: TestApp, controls: ReturnType<typeof stripeAdmin>): Promise<void> {
  await vi.waitFor(async () => {
    const { pending, total } = await controls.deliveries()
    if (pending > 0) throw new Error('Events are pending.')
    // A sync job with nothing left to do still starts a sync.
    const [due] = await queryRows(context.database.db, z.object({ jobs: z.bigint(), syncs: z.bigint() }))`
      SELECT
        (SELECT count(*) FROM payment_customer
          WHERE sync_requested_at IS NOT NULL OR leased_until IS NOT NULL) AS syncs,
        (SELECT count(*) FROM jobs.job WHERE name LIKE ANY ('{billing.%,account-deletion.%}')
          AND (state = 'active' OR state IN ('created', 'retry') AND start_after <= now())) AS jobs`
    if (due === undefined || due.syncs > 0n || due.jobs > 0n) throw new Error('A sync is pending.')
    // A sync that completed between the two calls may have caused another event.
    if ((await controls.deliveries()).total !== total) throw new Error('Another event was sent.')
  }, waitOptions)
}
