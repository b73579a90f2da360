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
/** For each step, for each way to fail, somebody. */
let actors: TestMember[][]
beforeAll(async () => {
  at = await startPaymentSite({ answerMs: 1_200 })
  actions = createPaymentActions(at)
  actors = await Promise.all(steps.map((step) => Promise.all(kindsOf(step).map(() => begin(step.beginning)))))
  await at.settle()
  // From here on the site asks the payment service only because of what members do.
  await at.controls.setWebhooks({ mode: 'off' })
})
afterAll(() => at.close())

type Act = (member: TestMember) => Promise<LightMyRequestResponse>

const post =
  (url: string, body: object): Act =>
  ({ headers }) =>
    at.members.call('POST', url, { headers, body })

const checkout = '/member/plans/create-checkout-session'
const acts = {
  checkout: post(checkout, { priceId: testPrices.monthly }),
  'checkout of the other price': post(checkout, { priceId: testPrices.yearly }),
  portal: post('/member/create-billing-portal-session', {}),
  preview: post('/member/plans/change/preview', { priceId: testPrices.yearly }),
  upgrade: post('/member/plans/change', { priceId: testPrices.yearly }),
  downgrade: post('/member/plans/change', { priceId: testPrices.monthly }),
} satisfies Record<string, Act>

/** Who acts: somebody new, somebody who has seen a checkout, or a subscriber. */
type Beginning = 'new' | 'known' | 'monthly' | 'yearly'

type Step = { act: keyof typeof acts; beginning: Beginning; match: string }

/** Every call to the payment service that an act of a member's comes to. */
const steps: Step[] = [
  { act: 'checkout', beginning: 'new', match: 'POST /v1/customers' },
  { act: 'checkout', beginning: 'known', match: 'GET /v1/subscriptions' },
  { act: 'checkout', beginning: 'known', match: 'POST /v1/checkout/sessions' },
  { act: 'checkout of the other price', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { act: 'checkout of the other price', beginning: 'monthly', match: 'POST /v1/billing_portal/sessions' },
  { act: 'portal', beginning: 'monthly', match: 'POST /v1/billing_portal/sessions' },
  { act: 'preview', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { act: 'preview', beginning: 'monthly', match: 'POST /v1/invoices/create_preview' },
  { act: 'upgrade', beginning: 'monthly', match: 'GET /v1/subscriptions' },
  { act: 'upgrade', beginning: 'monthly', match: 'POST /v1/invoices/create_preview' },
  { act: 'upgrade', beginning: 'monthly', match: 'GET /v1/subscriptions/' },
  { act: 'upgrade', beginning: 'monthly', match: 'POST /v1/subscriptions/' },
  { act: 'downgrade', beginning: 'yearly', match: 'GET /v1/subscriptions/' },
  { act: 'downgrade', beginning: 'yearly', match: 'POST /v1/subscription_schedules' },
]

const kinds = ['server-error', 'rate-limit', 'reset', 'timeout-before'] as const
type Kind = (typeof kinds)[number] | 'reset-after' | 'timeout-after'

/** What is read only is not done without being heard of. */
function kindsOf({ match }: Step): Kind[] {
  return match.startsWith('GET') ? [...kinds] : [...kinds, 'reset-after', 'timeout-after']
}

function isDoneUnheard(kind: Kind): boolean {
  return kind === 'reset-after' || kind === 'timeout-after'
}

async function begin(beginning: Beginning): Promise<TestMember> {
  const member = await at.members.signUp()
  if (beginning === 'new') return member
  const page = await at.openCheckout(member, testPrices[beginning === 'yearly' ? 'yearly' : 'monthly'])
  if (beginning !== 'known') await at.controls.completeCheckout(page)
  return member
}

/** What the calls about a member say. */
async function nameOf(member: TestMember, { beginning, match }: Step): Promise<string> {
  if (beginning === 'new') return member.memberId
  if (/subscriptions\/|schedules|preview/.test(match)) return (await actions.subscriptionOf(member)).id
  return await actions.customerOf(member)
}

/** What a member pays, has paid, and is to pay instead some day. */
async function truthOf(member: TestMember) {
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

/** How it is once an act was done. */
const outcomes: Record<keyof typeof acts, Awaited<ReturnType<typeof truthOf>>> = {
  checkout: { pays: [], charges: [], phases: [] },
  'checkout of the other price': payingMonthly,
  portal: payingMonthly,
  preview: payingMonthly,
  upgrade: { pays: [testPrices.yearly], charges: [4500, 499], phases: [] },
  downgrade: { pays: [testPrices.yearly], charges: [4999], phases: [2] },
}

/** Fails at a step, and tries again once the payment service is well. */
async function failAndRetry(step: Step, kind: Kind, member: TestMember) {
  const before = await truthOf(member)
  const about = await nameOf(member, step)
  // The site tries three times by itself, unless it is told that it asks too much.
  const times = kind === 'rate-limit' ? 1 : 3
  await at.controls.addFault({ kind, match: step.match, about, times })
  const refusal = refusalOf(await acts[step.act](member))
  const between = await truthOf(member)
  const again = await acts[step.act](member)
  return {
    refusal,
    isUntouched: isDoneUnheard(kind) || isDeepStrictEqual(between, before),
    again: again.statusCode,
    truth: await truthOf(member),
  }
}

const refusal = {
  status: 503,
  code: 'payments-unavailable',
  message:
    'Our payment service does not answer at the moment. Please try again in a minute; you will not be charged twice.',
}

describe('when the payment service fails', () => {
  it.concurrent.each(steps.map((step, index) => [step.act, step.match, step, index] as const))(
    'a member who asks for the %s is told so at %s, and can try again',
    async (act, _match, step, index) => {
      const tried = kindsOf(step).map((kind, turn) => [kind, actors[index]?.[turn]] as const)
      const results = await Promise.all(
        tried.map(async ([kind, member]) => [kind, member && (await failAndRetry(step, kind, member))]),
      )
      expect(results).toEqual(
        tried.map(([kind]) => {
          // What was done without being heard of is there already.
          const isThere = step.match === 'POST /v1/subscriptions/' && isDoneUnheard(kind)
          const again = isThere ? 409 : 200
          return [kind, { refusal, isUntouched: true, again, truth: outcomes[act] }]
        }),
      )
    },
  )
})

describe('when the payment service fails in the middle of a change', () => {
  it.each([...kinds, 'reset-after'] as const)(
    'by a %s, the change is finished by asking again',
    async (kind) => {
      const member = await begin('yearly')
      const times = kind === 'rate-limit' ? 1 : 3
      await at.controls.addFault({ kind, match: 'POST /v1/subscription_schedules/', times })
      expect(refusalOf(await acts.downgrade(member))).toEqual(refusal)
      expect((await truthOf(member)).charges).toEqual([4999])
      expect((await acts.downgrade(member)).statusCode).toBe(200)
      expect(await truthOf(member)).toEqual(outcomes.downgrade)
    },
  )
})

describe('an upgrade that was made and not heard of', () => {
  it('is seen all the same, though no event tells of it', async () => {
    const member = await begin('monthly')
    const { id } = await actions.subscriptionOf(member)
    await at.site.context.subscriptionSync.sync(await actions.customerOf(member))
    expect((await at.memberOf(member)).planConnections).toMatchObject([{ planName: 'Monthly' }])
    await at.controls.addFault({ kind: 'reset-after', match: `POST /v1/subscriptions/${id}`, times: 3 })
    expect(refusalOf(await acts.upgrade(member))).toEqual(refusal)
    await vi.waitFor(async () => {
      expect((await at.memberOf(member)).planConnections).toMatchObject([
        { planName: 'Yearly', active: true },
      ])
    }, waitOptions)
  })
})

describe('a payment service that is slow', () => {
  it('and answers in time is waited for', async () => {
    const member = await begin('new')
    await at.controls.addFault({
      kind: 'slow',
      match: 'POST /v1/customers',
      about: member.memberId,
      delayMs: 300,
    })
    expect((await acts.checkout(member)).statusCode).toBe(200)
  })

  it('and answers too late once is asked again, and makes nothing twice', async () => {
    const member = await begin('new')
    await at.controls.addFault({
      kind: 'late',
      match: 'POST /v1/customers',
      about: member.memberId,
      delayMs: 1_800,
    })
    expect((await acts.checkout(member)).statusCode).toBe(200)
    const all = await at.stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    expect(all.filter(({ metadata }) => metadata.member === member.memberId)).toHaveLength(1)
  })
})
