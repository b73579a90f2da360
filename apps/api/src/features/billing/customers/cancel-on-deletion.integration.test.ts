import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const kinds = [
  'server-error',
  'rate-limit',
  'reset',
  'timeout-before',
  'reset-after',
  'timeout-after',
] as const

let at: PaymentSite
let actions: PaymentActions
beforeAll(async () => {
  at = await startPaymentSite({ answerMs: 1_200 })
  actions = createPaymentActions(at)
})
afterAll(() => at.close())

async function subscriber(priceId: string = testPrices.monthly) {
  const member = await at.members.signUp()
  const { stripeCustomerId } = await at.subscribe(member, priceId)
  return { ...member, customer: stripeCustomerId ?? '' }
}

/** A subscriber with a checkout that is open besides. */
async function subscriberWithCheckout() {
  const member = await subscriber()
  const subscription = await actions.subscriptionOf(member)
  const { id: open } = await at.stripe.checkout.sessions.create({
    ...{ mode: 'subscription', customer: member.customer, success_url: 'https://example.com/' },
    line_items: [{ price: subscription.items.data[0]?.price.id ?? '', quantity: 1 }],
    metadata: { app: at.site.context.config.site.appId },
  })
  return { member, open, subscription: subscription.id }
}

async function leave({ headers }: TestMember) {
  return await at.members.call('DELETE', '/member', { headers })
}

/** What a customer has subscribed to: `canceled` when nothing is paid any more. */
async function statesOf(customer: string) {
  const { data } = await at.stripe.subscriptions.list({ customer, status: 'all' })
  return data.map(({ status }) => status)
}

async function isThere({ memberId }: TestMember): Promise<boolean> {
  return (await at.site.context.database.db.member.count({ where: { id: memberId } })) === 1
}

/** Resolves once a slow call has reached the payment service. */
async function isOnItsWay(): Promise<void> {
  await vi.waitFor(async () => {
    const left = await (await fetch(`${at.stripeUrl}/stripe/faults`)).json()
    expect(left).toEqual({ faults: [] })
  }, waitOptions)
}

describe('who deletes the account', () => {
  it('has paid for the last time', async () => {
    const ann = await subscriber()
    at.site.clock.pass(2 * 60_000)
    const reply = await leave(ann)
    expect([reply.statusCode, reply.json()]).toEqual([200, { data: { id: ann.memberId } }])
    expect(await statesOf(ann.customer)).toEqual(['canceled'])
    await at.settle()
    expect(await isThere(ann)).toBe(false)
    expect((await at.members.call('GET', '/member', { headers: ann.headers })).json()).toEqual({ data: null })
    const { data: charges } = await at.stripe.charges.list({ customer: ann.customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, false]])
    const { db } = at.site.context.database
    const farewells = await db.accountNotice.findMany({
      where: { email: ann.email, kind: 'account-deleted' },
    })
    expect(farewells).toMatchObject([{ details: { planName: 'Monthly', refunds: [] } }])
  })

  it('has paid for the last time though a change was waiting', async () => {
    const bea = await subscriber(testPrices.yearly)
    await at.members.call('POST', '/member/plans/change', {
      headers: bea.headers,
      body: { priceId: testPrices.monthly },
    })
    expect((await leave(bea)).statusCode).toBe(200)
    expect(await statesOf(bea.customer)).toEqual(['canceled'])
    const { data } = await at.stripe.subscriptionSchedules.list({ customer: bea.customer })
    expect(data.filter(({ status }) => status === 'active' || status === 'not_started')).toEqual([])
  })

  it('and never paid needs the payment service for nothing', async () => {
    const cam = await at.members.signUp()
    await at.controls.addFault({ kind: 'server-error', about: cam.memberId, times: 100 })
    expect((await leave(cam)).statusCode).toBe(200)
    expect(await isThere(cam)).toBe(false)
    await at.controls.clearFaults()
  })

  it('cannot pay any more on a checkout that was open', async () => {
    const dan = await at.members.signUp()
    const pages = [
      await at.openCheckout(dan, testPrices.monthly),
      await at.openBeside(dan, testPrices.yearly),
    ]
    const customer = await actions.customerOf(dan)
    expect((await leave(dan)).statusCode).toBe(200)
    for (const page of pages) {
      expect(await at.controls.completeCheckout(page)).toMatchObject({
        status: 'expired',
        error: { code: 'session_not_open' },
      })
    }
    expect(await statesOf(customer)).toEqual([])
    expect((await at.stripe.charges.list({ customer })).data).toEqual([])
  })

  it('is given back what was paid on a checkout that opened in that very moment', async () => {
    const eva = await at.members.signUp()
    await at.openCheckout(eva, testPrices.monthly)
    const customer = await actions.customerOf(eva)
    await at.controls.addFault({
      ...{ kind: 'slow', match: 'POST /v1/checkout/sessions', about: customer, delayMs: 500 },
    })
    const late = at.openCheckout(eva, testPrices.monthly)
    await isOnItsWay()
    expect((await leave(eva)).statusCode).toBe(200)
    await at.controls.completeCheckout(await late)
    await vi.waitFor(async () => expect(await statesOf(customer)).toEqual(['canceled']), waitOptions)
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, true]])
    await at.settle()
  })

  it('is given back what was paid while the checkout was being closed', async () => {
    const fay = await at.members.signUp()
    const page = await at.openCheckout(fay, testPrices.monthly)
    const customer = await actions.customerOf(fay)
    const [open] = (await at.stripe.checkout.sessions.list({ customer })).data
    const match = `POST /v1/checkout/sessions/${open?.id}/expire`
    await at.controls.addFault({ kind: 'slow', match, delayMs: 500 })
    const leaving = leave(fay)
    await isOnItsWay()
    await at.controls.completeCheckout(page)
    expect((await leaving).statusCode).toBe(200)
    expect(await statesOf(customer)).toEqual(['canceled'])
    await at.settle()
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, true]])
    expect(await isThere(fay)).toBe(false)
    const { db } = at.site.context.database
    const told = await db.accountNotice.findMany({ where: { email: fay.email, kind: 'account-deleted' } })
    const refunds = [{ amount: 499, currency: 'usd', status: 'refunded' }]
    expect(told).toMatchObject([{ details: { planName: null, refunds } }])
  })

  it('is told of the plan that ended, though it took a second try', async () => {
    const ida = await subscriber()
    at.site.clock.pass(2 * 60_000)
    const { id: about } = await actions.subscriptionOf(ida)
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/invoices', about, times: 100 })
    expect(refusalOf(await leave(ida))).toMatchObject({ code: 'payments-unavailable' })
    await at.controls.clearFaults()
    await actions.seen(ida, 'CANCELED')
    expect((await leave(ida)).statusCode).toBe(200)
    const { db } = at.site.context.database
    const farewells = await db.accountNotice.findMany({
      where: { email: ida.email, kind: 'account-deleted' },
    })
    expect(farewells).toMatchObject([{ details: { planName: 'Monthly' } }])
  })

  it('is given back what was paid in that moment, though that did not go through at once', async () => {
    const gus = await at.members.signUp()
    const page = await at.openCheckout(gus, testPrices.monthly)
    const customer = await actions.customerOf(gus)
    const [open] = (await at.stripe.checkout.sessions.list({ customer })).data
    await at.controls.addFault({
      ...{ kind: 'slow', match: `POST /v1/checkout/sessions/${open?.id}/expire`, delayMs: 500 },
    })
    const leaving = leave(gus)
    await isOnItsWay()
    await at.controls.addFault({ kind: 'server-error', match: 'POST /v1/refunds', times: 3 })
    await at.controls.completeCheckout(page)
    expect(refusalOf(await leaving)).toMatchObject({
      status: 503,
      code: 'payments-unavailable',
      message: expect.stringContaining('Your account was not deleted yet'),
    })
    at.site.clock.pass(10 * 60_000)
    expect((await leave(gus)).statusCode).toBe(200)
    await at.settle()
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, true]])
    expect(await statesOf(customer)).toEqual(['canceled'])
  })

  it('has back what they bought after a first try, and nothing that goes on', async () => {
    const hal = await subscriber()
    at.site.clock.pass(10 * 60_000)
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/checkout/sessions', times: 3 })
    expect((await leave(hal)).statusCode).toBe(503)
    at.site.clock.pass(10 * 60_000)
    const upgrade = { headers: hal.headers, body: { priceId: testPrices.yearly } }
    expect((await at.members.call('POST', '/member/plans/change', upgrade)).statusCode).toBe(200)
    const { id } = await actions.subscriptionOf(hal)
    at.site.clock.pass(10 * 60_000)
    await at.controls.addFault({ kind: 'server-error', match: `DELETE /v1/subscriptions/${id}`, times: 3 })
    expect((await leave(hal)).statusCode).toBe(503)
    const charged = async () => {
      const { data: charges } = await at.stripe.charges.list({ customer: hal.customer })
      return charges.map(({ amount, refunded }) => [amount, refunded])
    }
    expect(await statesOf(hal.customer)).toEqual(['active'])
    expect(await charged()).toEqual([
      [4_500, false],
      [499, false],
    ])

    expect((await leave(hal)).statusCode).toBe(200)
    expect(await statesOf(hal.customer)).toEqual(['canceled'])
    expect(await charged()).toEqual([
      [4_500, true],
      [499, false],
    ])
  })

  const steps: [what: string, match: (open: string, subscription: string) => string][] = [
    ['the list of open checkouts', () => 'GET /v1/checkout/sessions'],
    ['the end of an open checkout', (open) => `POST /v1/checkout/sessions/${open}/expire`],
    ['the list of subscriptions', () => 'GET /v1/subscriptions'],
    ['the end of a subscription', (_open, subscription) => `DELETE /v1/subscriptions/${subscription}`],
  ]

  it.each(steps)('stays whole when %s fails in any way, and can try again', async (_what, matchOf) => {
    const leaving = await Promise.all(
      kinds.map(async (kind) => ({ kind, ...(await subscriberWithCheckout()) })),
    )
    await at.settle()
    const results = await Promise.all(
      leaving.map(async ({ kind, member, open, subscription }) => {
        const match = matchOf(open, subscription)
        // Addresses say nothing of the customer where they name what is ended.
        const about = match.startsWith('GET') ? member.customer : ''
        await at.controls.addFault({ kind, match, about, times: kind === 'rate-limit' ? 1 : 3 })
        const { status, code } = refusalOf(await leave(member))
        const isStillThere = await isThere(member)
        const isEnded = (await statesOf(member.customer)).includes('canceled')
        const again = (await leave(member)).statusCode
        const session = await at.stripe.checkout.sessions.retrieve(open)
        const left = [...(await statesOf(member.customer)), session.status, await isThere(member)]
        return { kind, status, code, isStillThere, isEnded, again, left }
      }),
    )
    expect(results).toEqual(
      kinds.map((kind) => ({
        kind,
        ...{ status: 503, code: 'payments-unavailable', isStillThere: true, again: 200 },
        // What was done and not heard of was done.
        isEnded: kind.endsWith('after') && matchOf('', '').startsWith('DELETE'),
        left: ['canceled', 'expired', false],
      })),
    )
  })

  it('twice at once is gone once', async () => {
    const ida = await subscriber()
    const replies = await Promise.all([leave(ida), leave(ida)])
    expect(replies.map(({ statusCode }) => statusCode)).toContain(200)
    expect(replies.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
    expect(await statesOf(ida.customer)).toEqual(['canceled'])
    expect(await isThere(ida)).toBe(false)
  })
})
