import { type Member, memberSchema } from '@tidings/contracts/membership/members'
import { stripeAdmin } from '@tidings/emulators/stripe/admin/client'
import { startEmulator, stripeAt } from '@tidings/emulators/stripe/testing/start-emulator'
import { vi } from 'vitest'
import { createStripePaymentGateway } from '#integrations/payments/stripe/stripe-payment-gateway.ts'
import { createCapturedLog } from '../captured-log.ts'
import { createTestMembers, type TestMember } from '../membership.ts'
import { startTestApp, type TestApp, type TestAppOptions, testNow } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
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
  stripe?: Parameters<typeof startEmulator>[0]
  stripeTimeoutMs?: number
}

/** Starts a site with a Stripe emulator over HTTP, with synced prices. Both use the site's clock. */
export async function startPaymentSite({
  stripe: stripeOptions = {},
  stripeTimeoutMs,
  ...options
}: PaymentSiteOptions = {}) {
  const server = await startEarlyServer()
  const webhookUrl = `${server.url}/webhooks/stripe`
  let clock: TestApp['clock'] | null = null
  const emulator = await startEmulator({
    now: () => clock?.now() ?? testNow,
    webhookUrl,
    webhookSecret,
    webhookRetryDelaysMs: [20],
    ...stripeOptions,
  })
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase())
  const env = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: emulator.url,
    ...options.env,
  }
  const gateway = createStripePaymentGateway({
    secretKey,
    webhookSecret,
    apiUrl: new URL(emulator.url),
    timeoutMs: stripeTimeoutMs,
    clock: { now: () => clock?.now() ?? testNow },
    logger: options.overrides?.logger ?? createCapturedLog().logger,
    findStored: async () => null,
  })
  const overrides = { ...(stripeTimeoutMs === undefined ? {} : { gateway }), ...options.overrides }
  const site = await startTestApp({ ...options, databaseUrl, env, overrides })
  clock = site.clock
  server.routeTo(site.app)
  await site.context.syncCatalog(() => {})

  const members = createTestMembers(site)
  const controls = stripeAdmin(emulator.url)
  const stripe = stripeAt(emulator.url, secretKey)
  const { db } = site.context.database

  /** Returns a member's account. */
  async function memberOf({ headers }: Pick<TestMember, 'headers'>): Promise<Member> {
    const reply = await members.call('GET', '/member', { headers })
    return memberSchema.parse(reply.json().data)
  }

  /** Returns the URL of a new checkout session. */
  async function openCheckout(
    { headers }: Pick<TestMember, 'headers'>,
    priceId: string,
    body: Record<string, unknown> = {},
  ): Promise<string> {
    const reply = await members.call('POST', '/member/plans/create-checkout-session', {
      headers,
      body: { priceId, ...body },
    })
    if (reply.statusCode !== 200) throw new Error(`No checkout: ${reply.statusCode} ${reply.body}`)
    return reply.json().data.url
  }

  /** Creates a second open checkout session directly at Stripe. */
  async function openSecondCheckout(
    member: TestMember,
    priceId: string,
    { couponId = '' } = {},
  ): Promise<string> {
    const { stripeCustomerId } = await memberOf(member)
    const customer = stripeCustomerId ?? ''
    const { id: price } = await db.stripePrice.findFirstOrThrow({ where: { priceId, current: true } })
    const metadata = { member: member.memberId, app: site.context.config.site.appId }
    const { url } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      metadata,
      success_url: 'https://tidings.example',
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata },
      ...(couponId === '' ? {} : { discounts: [{ coupon: couponId }] }),
    })
    return url ?? ''
  }

  /** Waits until every event is delivered and every requested sync is completed. */
  async function settle(): Promise<void> {
    await vi.waitFor(async () => {
      const { pending, total } = await controls.deliveries()
      if (pending > 0) throw new Error('Events are pending.')
      // A sync job with nothing left to do still starts a sync.
      const [due] = await db.$queryRaw<{ jobs: bigint; syncs: bigint }[]>`
        SELECT
          (SELECT count(*) FROM payment_customer WHERE syncs_requested > syncs_completed) AS syncs,
          (SELECT count(*) FROM jobs.job WHERE name LIKE 'billing.%'
            AND (state = 'active' OR state IN ('created', 'retry') AND start_after <= now())) AS jobs`
      if (due === undefined || due.syncs > 0n || due.jobs > 0n) throw new Error('A sync is pending.')
      // A sync that completed between the two calls may have caused another event.
      if ((await controls.deliveries()).total !== total) throw new Error('Another event was sent.')
    }, waitOptions)
  }

  return {
    site,
    members,
    controls,
    memberOf,
    openCheckout,
    openSecondCheckout,
    settle,
    webhookUrl,
    webhookSecret,
    secretKey,
    databaseUrl,
    env,
    stripeUrl: emulator.url,
    /** Stops the emulator permanently. */
    stopStripe: emulator.stop,
    /** Stripe's SDK, connected to the emulator. */
    stripe,
    /** Pays a checkout as a member and waits for the sync. */
    async subscribe(member: TestMember, priceId: string, pay: { card?: string } = {}): Promise<Member> {
      await controls.completeCheckout(await openCheckout(member, priceId), pay)
      await settle()
      return await memberOf(member)
    },
    async close(): Promise<void> {
      // Closed first, so that pending requests still find the emulator.
      await server.close()
      await emulator.stop()
      await site.close()
    },
  }
}
