import { isDeepStrictEqual } from 'node:util'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

let at: PaymentSite
let actions: PaymentActions
/** One member for each step and kind of failure. */
let actors: TestMember[][]
beforeAll(async () => {
  at = await startPaymentSite({ stripeTimeoutMs: 1_200 })
  actions = createPaymentActions(at)
  actors = []
  // Without webhooks, the site calls Stripe only for members' requests.
  await at.controls.setWebhooks({ mode: 'off' })
  for (const step of steps) actors.push(await Promise.all(kindsOf(step).map(() => begin(step.beginning))))
})
afterAll(() => at.close())

type Action = (member: TestMember) => Promise<LightMyRequestResponse>

const post =
  (url: string, body: object): Action =>
  ({ headers }) =>
    at.members.call('POST', url, { headers, body })

const checkout = '/member/plans/create-checkout-session'
const requests = {
  checkout: post(checkout, { priceId: testPrices.monthly }),
  'checkout of the other price': post(checkout, { priceId: testPrices.yearly }),
  portal: post('/member/create-billing-portal-session', {}),
  preview: post('/member/plans/change/preview', { priceId: testPrices.yearly }),
  upgrade: post('/member/plans/change', { priceId: testPrices.yearly }),
  downgrade: post('/member/plans/change', { priceId: testPrices.monthly }),
} satisfies Record<string, Action>

/** A new member, one with a checkout, or a subscriber. */
type Beginning = 'new' | 'known' | 'monthly' | 'yearly'

type Step = { request: keyof typeof requests; beginning: Beginning; match: string }

/** Every call to Stripe that a member's request makes. */
const steps: Step[] = [
  { request: 'checkout', beginning: 'new', match: 'POST /v1/customers' },
  { request: 'checkout', beginning: 'known', match: 'GET /v1/subscriptions' },
  { request: 'checkout', beginning: 'known', match: 'POST /v1/checkout/sessions' },
  { request: 'checkout of the other price', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { request: 'checkout of the other price', beginning: 'monthly', match: 'POST /v1/billing_portal/sessions' },
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

async function begin(beginning: Beginning): Promise<TestMember> {
  const member = await at.members.signUp()
  if (beginning === 'new') return member
  const page = await at.openCheckout(member, testPrices[beginning === 'yearly' ? 'yearly' : 'monthly'])
  if (beginning !== 'known') await at.controls.completeCheckout(page)
  return member
}

/** Returns the id that the calls about a member contain. */
async function nameOf(member: TestMember, { beginning, match }: Step): Promise<string> {
  if (beginning === 'new') return member.memberId
  if (/subscriptions\/|schedules|preview/.test(match)) return (await actions.subscriptionOf(member)).id
  return await actions.customerOf(member)
}

/** Returns a member's prices, charges and scheduled changes at Stripe. */
async function stripeStateOf(member: TestMember) {
  const { memberId: id } = member
  const row = await at.site.context.database.db.member.findUniqueOrThrow({ where: { id } })
  const customer = row.stripeCustomerId
  if (customer === null) return { pays: [], charges: [], phases: [] }
  const { data: charges } = await at.stripe.charges.list({ customer })
  const { data: schedules } = await at.stripe.subscriptionSchedules.list({ customer })
  return {
    pays: (await actions.subscriptionsOf(member)).map(({ items }) => items.data[0]?.price.metadata.price),
    charges: charges.map(({ amount }) => amount),
    phases: schedules.filter(({ status }) => status === 'active').map(({ phases }) => phases.length),
  }
}

const payingMonthly = { pays: [testPrices.monthly], charges: [499], phases: [] }

/** The state at Stripe after each action. */
const outcomes: Record<keyof typeof requests, Awaited<ReturnType<typeof stripeStateOf>>> = {
  checkout: { pays: [], charges: [], phases: [] },
  'checkout of the other price': payingMonthly,
  portal: payingMonthly,
  preview: payingMonthly,
  upgrade: { pays: [testPrices.yearly], charges: [4500, 499], phases: [] },
  downgrade: { pays: [testPrices.yearly], charges: [4999], phases: [2] },
}

/** Fails at a step, then retries without the fault. */
async function failAndRetry(step: Step, kind: Kind, member: TestMember) {
  const before = await stripeStateOf(member)
  const about = await nameOf(member, step)
  // The SDK makes three attempts, but doesn't repeat a rate-limited call.
  const times = kind === 'rate-limit' ? 1 : 3
  await at.controls.addFault({ kind, match: step.match, about, times })
  const refusal = refusalOf(await requests[step.request](member))
  const between = await stripeStateOf(member)
  const again = await requests[step.request](member)
  return {
    refusal,
    isUntouched: isResponseLost(kind) || isDeepStrictEqual(between, before),
    again: again.statusCode,
    state: await stripeStateOf(member),
  }
}

const refusal = {
  status: 503,
  code: 'payments-unavailable',
  message: "Our payment service isn't responding. Please try again in a minute. You won't be charged twice.",
}

describe('a failing call to Stripe', () => {
  it.concurrent.each(steps.map((step, index) => [step.request, step.match, step, index] as const))(
    'fails the %s at %s, and succeeds when repeated',
    async (request, _match, step, index) => {
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
  it.each([...kinds, 'reset-after'] as const)(
    'is completed by a repeated request after a %s',
    async (kind) => {
      const member = await begin('yearly')
      const times = kind === 'rate-limit' ? 1 : 3
      await at.controls.addFault({ kind, match: 'POST /v1/subscription_schedules/', times })
      expect(refusalOf(await requests.downgrade(member))).toEqual(refusal)
      expect((await stripeStateOf(member)).charges).toEqual([4999])
      expect((await requests.downgrade(member)).statusCode).toBe(200)
      expect(await stripeStateOf(member)).toEqual(outcomes.downgrade)
    },
  )
})

describe('an upgrade whose response is lost', () => {
  it('is synced without an event', async () => {
    const member = await begin('monthly')
    const { id } = await actions.subscriptionOf(member)
    await at.site.context.subscriptionSync.sync(await actions.customerOf(member))
    expect((await at.memberOf(member)).planConnections).toMatchObject([{ planName: 'Monthly' }])
    await at.controls.addFault({ kind: 'reset-after', match: `POST /v1/subscriptions/${id}`, times: 3 })
    expect(refusalOf(await requests.upgrade(member))).toEqual(refusal)
    await vi.waitFor(async () => {
      expect((await at.memberOf(member)).planConnections).toMatchObject([
        { planName: 'Yearly', active: true },
      ])
    }, waitOptions)
  })
})

describe('a slow call to Stripe', () => {
  it('succeeds before the timeout', async () => {
    const member = await begin('new')
    await at.controls.addFault({
      kind: 'slow',
      match: 'POST /v1/customers',
      about: member.memberId,
      delayMs: 300,
    })
    expect((await requests.checkout(member)).statusCode).toBe(200)
  })

  it('is repeated after a timeout and creates one customer', async () => {
    const member = await begin('new')
    await at.controls.addFault({
      kind: 'late',
      match: 'POST /v1/customers',
      about: member.memberId,
      delayMs: 1_800,
    })
    expect((await requests.checkout(member)).statusCode).toBe(200)
    const all = await at.stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    expect(all.filter(({ metadata }) => metadata.member === member.memberId)).toHaveLength(1)
  })
})
