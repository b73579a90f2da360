import { isDeepStrictEqual } from 'node:util'
import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const checkout = '/member/plans/create-checkout-session'
const requests = {
  checkout: [checkout, { priceId: testPrices.monthly }],
  'checkout of the other price': [checkout, { priceId: testPrices.yearly }],
  portal: ['/member/create-billing-portal-session', {}],
  preview: ['/member/plans/change/preview', { priceId: testPrices.yearly }],
  upgrade: ['/member/plans/change', { priceId: testPrices.yearly }],
  downgrade: ['/member/plans/change', { priceId: testPrices.monthly }],
} as const

/** How a member begins: without a customer, with an open checkout, or with a plan. */
type Beginning = 'new' | 'known' | 'monthly' | 'yearly'

type Step = { request: keyof typeof requests; beginning: Beginning; match: string }

/** Every call to Stripe that a member's request makes. */
const steps: Step[] = [
  { request: 'checkout', beginning: 'new', match: 'POST /v1/customers' },
  { request: 'checkout', beginning: 'known', match: 'GET /v1/subscriptions' },
  { request: 'checkout', beginning: 'known', match: 'POST /v1/checkout/sessions' },
  { request: 'checkout of the other price', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { request: 'portal', beginning: 'monthly', match: 'POST /v1/billing_portal/sessions' },
  { request: 'preview', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { request: 'preview', beginning: 'monthly', match: 'POST /v1/invoices/create_preview' },
  { request: 'upgrade', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { request: 'upgrade', beginning: 'monthly', match: 'POST /v1/invoices/create_preview' },
  { request: 'upgrade', beginning: 'monthly', match: 'GET /v1/subscriptions/' },
  { request: 'upgrade', beginning: 'monthly', match: 'POST /v1/subscriptions/' },
  { request: 'downgrade', beginning: 'yearly', match: 'GET /v1/subscriptions/' },
  { request: 'downgrade', beginning: 'yearly', match: 'POST /v1/subscription_schedules' },
]

const kinds = ['server-error', 'rate-limit', 'reset', 'timeout-before'] as const
type Kind = (typeof kinds)[number] | 'reset-after' | 'timeout-after'

/** Tries every kind at the two decisive writes. Only a write can succeed although its response is lost. */
function kindsOf({ match }: Step): Kind[] {
  if (match.startsWith('GET')) return ['server-error', 'timeout-before']
  const isDecisive = match === 'POST /v1/checkout/sessions' || match === 'POST /v1/subscriptions/'
  return isDecisive ? [...kinds, 'reset-after', 'timeout-after'] : ['server-error', 'timeout-after']
}

function isResponseLost(kind: Kind): boolean {
  return kind === 'reset-after' || kind === 'timeout-after'
}

/** A member's prices, charges and phases of scheduled changes at Stripe. */
type StripeState = { pays: (string | undefined)[]; charges: number[]; phases: number[] }

const payingMonthly = { pays: [testPrices.monthly], charges: [499], phases: [] }

/** The state at Stripe after each action. */
const outcomes: Record<keyof typeof requests, StripeState> = {
  checkout: { pays: [], charges: [], phases: [] },
  'checkout of the other price': payingMonthly,
  portal: payingMonthly,
  preview: payingMonthly,
  upgrade: { pays: [testPrices.yearly], charges: [4500, 499], phases: [] },
  downgrade: { pays: [testPrices.yearly], charges: [4999], phases: [2] },
}

const refusal = {
  status: 503,
  code: 'payments-unavailable',
  message: 'Our payment service isn’t responding. Try again in a minute. You won’t be charged twice.',
}

const it = paymentTest({ stripeTimeoutMs: 1_200 })
  .extend(
    'begin',
    { scope: 'file' },
    ({ payments, members }) =>
      async (beginning: Beginning): Promise<TestMember> => {
        const member = await members.signUp()
        if (beginning === 'new') return member
        const page = await payments.openCheckout(
          member,
          testPrices[beginning === 'yearly' ? 'yearly' : 'monthly'],
        )
        if (beginning !== 'known') await payments.controls.completeCheckout(page)
        return member
      },
  )
  /** Returns the id that the calls about a member contain. */
  .extend(
    'nameOf',
    { scope: 'file' },
    ({ actions }) =>
      async (member: TestMember, { beginning, match }: Step): Promise<string> => {
        if (beginning === 'new') return member.memberId
        if (/subscriptions\/|schedules|preview/.test(match)) return (await actions.subscriptionOf(member)).id
        return await actions.customerOf(member)
      },
  )
  /** Returns a member's prices, charges and scheduled changes at Stripe. */
  .extend(
    'stripeStateOf',
    { scope: 'file' },
    ({ actions, stripe, db }) =>
      async (member: TestMember): Promise<StripeState> => {
        const { memberId: id } = member
        const { stripeCustomerId: customer } = await db.member.findUniqueOrThrow({ where: { id } })
        if (customer === null) return { pays: [], charges: [], phases: [] }
        const { data: charges } = await stripe.charges.list({ customer })
        const { data: schedules } = await stripe.subscriptionSchedules.list({ customer })
        return {
          pays: (await actions.subscriptionsOf(member)).map(
            ({ items }) => items.data[0]?.price.metadata.price,
          ),
          charges: charges.map(({ amount }) => amount),
          phases: schedules.filter(({ status }) => status === 'active').map(({ phases }) => phases.length),
        }
      },
  )
  .extend(
    'send',
    { scope: 'file' },
    ({ members }) =>
      async (request: keyof typeof requests, { headers }: TestMember) => {
        const [url, body] = requests[request]
        return await members.call('POST', url, { headers, body })
      },
  )
  /** Fails at a step, then retries without the fault. */
  .extend(
    'failAndRetry',
    { scope: 'file' },
    ({ payments, nameOf, stripeStateOf, send }) =>
      async (step: Step, kind: Kind, member: TestMember) => {
        const before = await stripeStateOf(member)
        const about = await nameOf(member, step)
        // The SDK makes three attempts, but doesn't repeat a rate-limited call.
        const times = kind === 'rate-limit' ? 1 : 3
        await payments.controls.addFault({ kind, match: step.match, about, times })
        const refusal = refusalOf(await send(step.request, member))
        const between = await stripeStateOf(member)
        const again = await send(step.request, member)
        return {
          refusal,
          isUntouched: isResponseLost(kind) || isDeepStrictEqual(between, before),
          again: again.statusCode,
          state: await stripeStateOf(member),
        }
      },
  )
  /** One member for each step and kind of failure. */
  .extend('actors', { scope: 'file' }, async ({ begin }) => {
    const actors: TestMember[][] = []
    for (const step of steps) actors.push(await Promise.all(kindsOf(step).map(() => begin(step.beginning))))
    return actors
  })

// Without webhooks, the site calls Stripe only for members' requests.
it.beforeAll(({ payments }) => payments.controls.setWebhooks({ mode: 'off' }))

describe('a failing call to Stripe', () => {
  it.concurrent.for(steps.map((step, index) => [step.request, step.match, step, index] as const))(
    'fails the %s at %s, and succeeds when repeated',
    async ([request, _match, step, index], { failAndRetry, actors }) => {
      const tried = kindsOf(step).map((kind, turn) => [kind, actors[index]?.[turn]] as const)
      const results = await Promise.all(
        tried.map(async ([kind, member]) => [kind, member && (await failAndRetry(step, kind, member))]),
      )
      expect(results).toEqual(
        tried.map(([kind]) => {
          // A write whose response was lost has succeeded.
          const isThere = step.match === 'POST /v1/subscriptions/' && isResponseLost(kind)
          const again = isThere ? 409 : 200
          return [kind, { refusal, isUntouched: true, again, state: outcomes[request] }]
        }),
      )
    },
  )
})

describe('a scheduled change that fails halfway', () => {
  it.for([...kinds, 'reset-after'] as const)(
    'is completed by a repeated request after a %s',
    async (kind, { payments, begin, stripeStateOf, send }) => {
      const member = await begin('yearly')
      const times = kind === 'rate-limit' ? 1 : 3
      await payments.controls.addFault({ kind, match: 'POST /v1/subscription_schedules/', times })
      expect(refusalOf(await send('downgrade', member))).toEqual(refusal)
      expect((await stripeStateOf(member)).charges).toEqual([4999])
      expect((await send('downgrade', member)).statusCode).toBe(200)
      expect(await stripeStateOf(member)).toEqual(outcomes.downgrade)
    },
  )
})

describe('an upgrade whose response is lost', () => {
  it('is synced without an event', async ({ payments, actions, site, begin, send }) => {
    const member = await begin('monthly')
    const { id } = await actions.subscriptionOf(member)
    await site.context.subscriptionSync.sync(await actions.customerOf(member))
    expect((await payments.memberOf(member)).planConnections).toMatchObject([{ planName: 'Monthly' }])
    await payments.controls.addFault({ kind: 'reset-after', match: `POST /v1/subscriptions/${id}`, times: 3 })
    expect(refusalOf(await send('upgrade', member))).toEqual(refusal)
    await vi.waitFor(async () => {
      expect((await payments.memberOf(member)).planConnections).toMatchObject([
        { planName: 'Yearly', active: true },
      ])
    }, waitOptions)
  })
})

describe('a slow call to Stripe', () => {
  it('succeeds before the timeout', async ({ payments, begin, send }) => {
    const member = await begin('new')
    await payments.controls.addFault({
      kind: 'slow',
      match: 'POST /v1/customers',
      about: member.memberId,
      delayMs: 300,
    })
    expect((await send('checkout', member)).statusCode).toBe(200)
  })

  it('is repeated after a timeout and creates one customer', async ({ payments, stripe, begin, send }) => {
    const member = await begin('new')
    await payments.controls.addFault({
      kind: 'late',
      match: 'POST /v1/customers',
      about: member.memberId,
      delayMs: 1_800,
    })
    expect((await send('checkout', member)).statusCode).toBe(200)
    const all = await stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    expect(all.filter(({ metadata }) => metadata.member === member.memberId)).toHaveLength(1)
  })
})
