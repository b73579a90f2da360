import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const checkout = '/member/plans/create-checkout-session'
const change = '/member/plans/change'
const preview = '/member/plans/change/preview'
const calls = [checkout, preview, change] as const
const yearly = { currency: 'usd', interval: 'YEARLY' } as const

const log = createCapturedLog()
// Requests that Stripe refuses are logged as errors.

const it = paymentTest({ overrides: { logger: log.logger } })
  .extend('subscriber', { scope: 'file' }, ({ actions }) => actions.subscriber)
  .extend(
    'call',
    { scope: 'file' },
    ({ members }) =>
      async (url: string, { headers }: TestMember, priceId: string) => {
        return await members.call('POST', url, { headers, body: { priceId } })
      },
  )
  .extend('pays', { scope: 'file' }, ({ payments }) => async (member: TestMember) => {
    return (await payments.memberOf(member)).planConnections.map(({ payment }) => payment?.priceId)
  })
it.beforeAll(async ({ site }) => {
  await addPlans(site, [
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
  await site.context.syncCatalog(() => {})
})

describe('an unavailable Stripe API', () => {
  it.for(['server-error', 'rate-limit'] as const)(
    'is logged after a %s',
    async (kind, { payments, members, call }) => {
      const ann = await members.signUp()
      await payments.controls.addFault({ kind, match: 'POST /v1/c', times: 3 })
      const reply = await call(checkout, ann, testPrices.monthly)
      await payments.controls.clearFaults()
      expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
      const message = 'payment service unavailable'
      const logged = log.entries().filter(({ msg }) => msg === message)
      expect(JSON.stringify(logged.at(-1))).toContain(kind === 'rate-limit' ? 'status 429' : 'status 500')
      expect(JSON.stringify(logged)).not.toContain(ann.email)
    },
  )
})

describe('a secret key that Stripe refuses', () => {
  it.for([
    ['unauthorized', checkout],
    ['forbidden', preview],
    ['unauthorized', change],
    ['forbidden', '/member/create-billing-portal-session'],
  ] as const)(
    'is logged as an error and fails permanently: %s, %s',
    async ([kind, url], { payments, members, subscriber, call }) => {
      const ann = url === checkout ? await members.signUp() : await subscriber()
      const before = log.lines.length
      await payments.controls.addFault({ kind, match: '/v1/', times: 1_000 })
      const reply = await call(url, ann, testPrices.yearly)
      await payments.controls.clearFaults()
      expect(refusalOf(reply)).toEqual({
        status: 500,
        code: 'configuration-error',
        message:
          'Payments aren’t working because of a problem on our side. You weren’t charged. Write to us.',
      })
      expect(reply.headers['retry-after']).toBeUndefined()
      expect(log.errorMessages(before)).toContain('stripe secret key refused')
    },
  )
})

describe("a price in another currency than the subscriber's", () => {
  it.for(calls)('is rejected and changes nothing: %s', async (url, { payments, subscriber, call, pays }) => {
    const ann = await subscriber()
    expect(refusalOf(await call(url, ann, 'prc_euro'))).toEqual({
      status: 409,
      code: 'plan-change-not-possible',
      message: 'You pay in USD, but this price is in EUR. Choose a price in USD.',
    })
    await payments.settle()
    expect(await pays(ann)).toEqual([testPrices.monthly])
  })

  it('is accepted for a new subscriber', async ({ payments, members }) => {
    const bea = await payments.subscribe(await members.signUp(), 'prc_euro')
    expect(bea.planConnections).toMatchObject([{ payment: { currency: 'eur', amount: 60 } }])
  })
})

describe('a second price of a plan for the same interval', () => {
  it('is accepted for a plan change', async ({ payments, subscriber, call, pays }) => {
    const dan = await subscriber()
    expect((await call(change, dan, 'prc_two-second')).statusCode).toBe(200)
    await payments.settle()
    expect(await pays(dan)).toEqual(['prc_two-second'])
  })
})

describe('a request that Stripe refuses', () => {
  it.for([
    ['a new member', checkout],
    ['a subscriber', preview],
    ['a subscriber', change],
  ] as const)(
    'returns a readable error to %s and is logged: %s',
    async ([who, url], { members, db, subscriber, call, pays }) => {
      // Stripe doesn't know this price.
      await db.stripePrice.updateMany({ where: { priceId: 'prc_taken' }, data: { id: 'price_unknown' } })
      const eva = who === 'a new member' ? await members.signUp() : await subscriber()
      const before = log.lines.length
      expect(refusalOf(await call(url, eva, 'prc_taken'))).toEqual({
        status: 409,
        code: 'payments-refused',
        message:
          'We couldn’t complete this with our payment service. You weren’t charged. Try again in a minute. If it keeps failing, write to us.',
      })
      expect(log.errorMessages(before)).toEqual(['payment request refused'])
      expect(await pays(eva)).toEqual(who === 'a new member' ? [] : [testPrices.monthly])
    },
  )
})
