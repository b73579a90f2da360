import { type Member, memberSchema } from '@tidings/contracts/members'
import { stripeAdmin } from '@tidings/emulators/stripe/admin/client'
import { startEmulator, stripeAt } from '@tidings/emulators/stripe/testing/start-emulator'
import { vi } from 'vitest'
import { createStripePaymentGateway } from '../src/integrations/payments/stripe/stripe-payment-gateway.ts'
import { createCapturedLog } from './captured-log.ts'
import { startEarlyServer } from './early-server.ts'
import { createTestMembers, type TestMember } from './membership.ts'
import { startTestApp, type TestApp, type TestAppOptions, testNow } from './test-app.ts'
import { createTestDatabase } from './test-database.ts'
import { waitOptions } from './wait-options.ts'

const webhookSecret = 'whsec_of_the_tests'
const secretKey = 'sk_test_tidings_local'

/** The prices of the app that a new site begins with. */
export const testPrices = {
  monthly: 'prc_monthly-plan-8k3v5n1wqe',
  yearly: 'prc_yearly-plan-2r6x9m4tgc',
} as const

export type PaymentSite = Awaited<ReturnType<typeof startPaymentSite>>

/** As of any app, and those of the stand-in; `stripeTimeoutMs` is how long the site waits for it. */
export type PaymentSiteOptions = Partial<TestAppOptions> & {
  stripe?: Parameters<typeof startEmulator>[0]
  stripeTimeoutMs?: number
}

/**
 * A site whose members pay at the stand-in for Stripe, over real HTTP both ways, with its prices for sale. Both go by
 * the site's clock.
 */
export async function startPaymentSite({
  stripe = {},
  stripeTimeoutMs,
  ...options
}: PaymentSiteOptions = {}) {
  const server = await startEarlyServer()
  const webhookUrl = `${server.url}/webhooks/stripe`
  let clock: TestApp['clock'] | null = null
  const standIn = await startEmulator({
    now: () => clock?.now() ?? testNow,
    webhookUrl,
    webhookSecret,
    webhookRetryDelaysMs: [20],
    ...stripe,
  })
  const databaseUrl = options.databaseUrl ?? (await createTestDatabase())
  const env = {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: standIn.url,
    ...options.env,
  }
  const gateway = createStripePaymentGateway({
    ...{ secretKey, webhookSecret, apiUrl: new URL(standIn.url), timeoutMs: stripeTimeoutMs },
    clock: { now: () => clock?.now() ?? testNow },
    logger: options.overrides?.logger ?? createCapturedLog().logger,
    findStored: async () => null,
  })
  const overrides = { ...(stripeTimeoutMs === undefined ? {} : { gateway }), ...options.overrides }
  const site = await startTestApp({ ...options, databaseUrl, env, overrides })
  clock = site.clock
  server.routeTo(site.app)
  await site.context.syncCatalogue(() => {})

  const members = createTestMembers(site)
  const controls = stripeAdmin(standIn.url)
  const truth = stripeAt(standIn.url, secretKey)
  const { db } = site.context.database

  /** A member as the site tells them. */
  async function memberOf({ headers }: Pick<TestMember, 'headers'>): Promise<Member> {
    const reply = await members.call('GET', '/member', { headers })
    return memberSchema.parse(reply.json().data)
  }

  /** The address of a checkout of a price. */
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

  /** A second open checkout beside the last one, as two processes of an earlier release could leave it. */
  async function openSecondCheckout(
    member: TestMember,
    priceId: string,
    { couponId = '' } = {},
  ): Promise<string> {
    const { stripeCustomerId } = await memberOf(member)
    const customer = stripeCustomerId ?? ''
    const { id: price } = await db.stripePrice.findFirstOrThrow({ where: { priceId, current: true } })
    const metadata = { member: member.memberId, app: site.context.config.site.appId }
    const { url } = await truth.checkout.sessions.create({
      ...{ mode: 'subscription', customer, metadata, success_url: 'https://tidings.example' },
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata },
      ...(couponId === '' ? {} : { discounts: [{ coupon: couponId }] }),
    })
    return url ?? ''
  }

  /** Resolves once every event was taken and everything that it asked for was read. */
  async function settle(): Promise<void> {
    await vi.waitFor(async () => {
      if ((await controls.pendingDeliveries()) > 0) throw new Error('Events are on their way.')
      const customers = await db.paymentCustomer.findMany({ select: { wanted: true, done: true } })
      if (customers.some(({ wanted, done }) => wanted > done)) throw new Error('Somebody is to be read.')
      // One that finds nothing to do any more still begins a reading.
      const [{ due } = { due: 0n }] = await db.$queryRaw<{ due: bigint }[]>`
        SELECT count(*) AS due FROM jobs.job
        WHERE name LIKE 'billing.%' AND (state = 'active' OR state IN ('created', 'retry') AND start_after <= now())`
      if (due > 0n) throw new Error('A job is to be done.')
    }, waitOptions)
  }

  return {
    ...{
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
    },
    databaseUrl,
    env,
    stripeUrl: standIn.url,
    /** Takes the payment service away, for good. */
    stopStripe: standIn.stop,
    /** Stripe's own SDK, for a look at the truth. */
    stripe: truth,
    /** Has a member pay for a price, and waits until the site knows. */
    async subscribe(member: TestMember, priceId: string, pay: { card?: string } = {}): Promise<Member> {
      await controls.completeCheckout(await openCheckout(member, priceId), pay)
      await settle()
      return await memberOf(member)
    },
    async close(): Promise<void> {
      // Whoever is let in yet finds everything in place.
      await server.close()
      await standIn.stop()
      await site.close()
    },
  }
}
