import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const checkout = '/member/plans/create-checkout-session'
const change = '/member/plans/change'
const preview = '/member/plans/change/preview'
const calls = [checkout, preview, change] as const
const yearly = { currency: 'usd', interval: 'YEARLY' } as const

const log = createCapturedLog()
let at: PaymentSite
// Requests that Stripe refuses are logged as errors.
beforeAll(async () => {
  at = await startPaymentSite({ overrides: { logger: log.logger } })
  await addPlans(at.site, [
    { id: 'pln_euro', name: 'Euro', prices: [{ id: 'prc_euro', ...yearly, amount: 60, currency: 'eur' }] },
    {
      id: 'pln_two',
      name: 'Two',
      prices: [
        { id: 'prc_two-first', ...yearly, amount: 70 },
        { id: 'prc_two-second', ...yearly, amount: 80 },
      ],
    },
    { id: 'pln_taken', name: 'Taken', prices: [{ id: 'prc_taken', ...yearly, amount: 90 }] },
  ])
  await at.site.context.syncCatalogue(() => {})
})
afterAll(() => at.close())

async function subscriber(): Promise<TestMember> {
  const member = await at.members.signUp()
  await at.subscribe(member, testPrices.monthly)
  return member
}

async function call(url: string, { headers }: TestMember, priceId: string) {
  return await at.members.call('POST', url, { headers, body: { priceId } })
}

async function pays(member: TestMember) {
  return (await at.memberOf(member)).planConnections.map(({ payment }) => payment?.priceId)
}

describe('an unavailable Stripe API', () => {
  it.each(['server-error', 'rate-limit'] as const)('is logged after a %s', async (kind) => {
    const ann = await at.members.signUp()
    await at.controls.addFault({ kind, match: 'POST /v1/c', times: 3 })
    const reply = await call(checkout, ann, testPrices.monthly)
    await at.controls.clearFaults()
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
    const message = 'payment service unavailable'
    const logged = log.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)
    expect(JSON.stringify(logged.at(-1))).toContain(kind === 'rate-limit' ? 'status 429' : 'status 500')
    expect(JSON.stringify(logged)).not.toContain(ann.email)
  })
})

describe('a secret key that Stripe refuses', () => {
  it.each([
    ['unauthorized', checkout],
    ['forbidden', preview],
    ['unauthorized', change],
    ['forbidden', '/member/create-billing-portal-session'],
  ] as const)('is logged as an error and fails permanently: %s, %s', async (kind, url) => {
    const ann = url === checkout ? await at.members.signUp() : await subscriber()
    const before = log.lines.length
    await at.controls.addFault({ kind, match: '/v1/', times: 1_000 })
    const reply = await call(url, ann, testPrices.yearly)
    await at.controls.clearFaults()
    expect(refusalOf(reply)).toEqual({
      status: 500,
      code: 'configuration-error',
      message:
        "Payments aren't working because of a problem on our side. You haven't been charged. Please contact us.",
    })
    expect(reply.headers['retry-after']).toBeUndefined()
    const errors = log.lines.slice(before).map((line) => JSON.parse(line))
    expect(errors.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toContain(
      'Stripe refused the secret key',
    )
  })
})

describe("a price in another currency than the subscriber's", () => {
  it.each(calls)('is rejected and changes nothing: %s', async (url) => {
    const ann = await subscriber()
    expect(refusalOf(await call(url, ann, 'prc_euro'))).toEqual({
      status: 409,
      code: 'plan-change-not-possible',
      message: 'You pay in USD, but this price is in EUR. Choose a price in USD.',
    })
    await at.settle()
    expect(await pays(ann)).toEqual([testPrices.monthly])
  })

  it('is accepted for a new subscriber', async () => {
    const bea = await at.subscribe(await at.members.signUp(), 'prc_euro')
    expect(bea.planConnections).toMatchObject([{ payment: { currency: 'eur', amount: 60 } }])
  })
})

describe('a second price of a plan for the same interval', () => {
  it('is not in the portal, so a subscriber is sent to its first page', async () => {
    const cam = await subscriber()
    const { data } = (await call(checkout, cam, 'prc_two-second')).json()
    expect(new URL(data.url).pathname).toMatch(/^\/stripe\/portal\/[^/]+$/)
  })

  it('is accepted for a plan change', async () => {
    const dan = await subscriber()
    expect((await call(change, dan, 'prc_two-second')).statusCode).toBe(200)
    await at.settle()
    expect(await pays(dan)).toEqual(['prc_two-second'])
  })
})

describe('a request that Stripe refuses', () => {
  it.each([
    ['a new member', checkout],
    ['a subscriber', preview],
    ['a subscriber', change],
  ])('returns a readable error to %s and is logged: %s', async (who, url) => {
    const { data: prices } = await at.stripe.prices.list({ limit: 100 })
    const sold = prices.find(({ metadata }) => metadata.price === 'prc_taken')
    await at.stripe.prices.update(sold?.id ?? '', { active: false })
    const eva = who === 'a new member' ? await at.members.signUp() : await subscriber()
    const before = log.lines.length
    expect(refusalOf(await call(url, eva, 'prc_taken'))).toEqual({
      status: 409,
      code: 'payments-refused',
      message:
        "We couldn't complete this with our payment service. Reload the page and try again. If it keeps failing, contact us.",
    })
    const logged = log.lines.slice(before).map((line) => JSON.parse(line))
    expect(logged.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual([
      'payment request refused',
    ])
    expect(await pays(eva)).toEqual(who === 'a new member' ? [] : [testPrices.monthly])
  })
})
