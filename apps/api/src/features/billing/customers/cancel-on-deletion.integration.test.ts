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
  at = await startPaymentSite({ stripeTimeoutMs: 1_200 })
  actions = createPaymentActions(at)
})
afterAll(() => at.close())

async function subscriber(priceId: string = testPrices.monthly) {
  const member = await at.members.signUp()
  const { stripeCustomerId } = await at.subscribe(member, priceId)
  return { ...member, customer: stripeCustomerId ?? '' }
}

/** A subscriber with another open checkout. */
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

async function deleteAccount({ headers }: TestMember) {
  return await at.members.call('DELETE', '/member', { headers })
}

async function statusesOf(customer: string) {
  const { data } = await at.stripe.subscriptions.list({ customer, status: 'all' })
  return data.map(({ status }) => status)
}

async function hasAccount({ memberId }: TestMember): Promise<boolean> {
  return (await at.site.context.database.db.member.count({ where: { id: memberId } })) === 1
}

/** Resolves once a slow call has reached the emulator. */
async function slowCallArrives(): Promise<void> {
  await vi.waitFor(async () => {
    const left = await (await fetch(`${at.stripeUrl}/stripe/faults`)).json()
    expect(left).toEqual({ faults: [] })
  }, waitOptions)
}

describe('DELETE /member', () => {
  it('cancels the subscription', async () => {
    const ann = await subscriber()
    at.site.clock.pass(2 * 60_000)
    const reply = await deleteAccount(ann)
    expect([reply.statusCode, reply.json()]).toEqual([200, { data: { id: ann.memberId } }])
    expect(await statusesOf(ann.customer)).toEqual(['canceled'])
    await at.settle()
    expect(await hasAccount(ann)).toBe(false)
    expect((await at.members.call('GET', '/member', { headers: ann.headers })).json()).toEqual({ data: null })
    const { data: charges } = await at.stripe.charges.list({ customer: ann.customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, false]])
    const { db } = at.site.context.database
    const emails = await db.outboxEmail.findMany({
      where: { recipient: ann.email, kind: 'account-deleted' },
    })
    expect(emails).toMatchObject([{ data: { planName: 'Monthly', refunds: [] } }])
  })

  it('cancels a subscription with a scheduled change', async () => {
    const bea = await subscriber(testPrices.yearly)
    await at.members.call('POST', '/member/plans/change', {
      headers: bea.headers,
      body: { priceId: testPrices.monthly },
    })
    expect((await deleteAccount(bea)).statusCode).toBe(200)
    expect(await statusesOf(bea.customer)).toEqual(['canceled'])
    const { data } = await at.stripe.subscriptionSchedules.list({ customer: bea.customer })
    expect(data.filter(({ status }) => status === 'active' || status === 'not_started')).toEqual([])
  })

  it('needs no call to Stripe for a member who never paid', async () => {
    const cam = await at.members.signUp()
    await at.controls.addFault({ kind: 'server-error', about: cam.memberId, times: 100 })
    expect((await deleteAccount(cam)).statusCode).toBe(200)
    expect(await hasAccount(cam)).toBe(false)
    await at.controls.clearFaults()
  })

  it('expires open checkouts', async () => {
    const dan = await at.members.signUp()
    const pages = [
      await at.openCheckout(dan, testPrices.monthly),
      await at.openSecondCheckout(dan, testPrices.yearly),
    ]
    const customer = await actions.customerOf(dan)
    expect((await deleteAccount(dan)).statusCode).toBe(200)
    for (const page of pages) {
      expect(await at.controls.completeCheckout(page)).toMatchObject({
        status: 'expired',
        error: { code: 'session_not_open' },
      })
    }
    expect(await statusesOf(customer)).toEqual([])
    expect((await at.stripe.charges.list({ customer })).data).toEqual([])
  })

  it('refunds a checkout that opened during the deletion', async () => {
    const eva = await at.members.signUp()
    await at.openCheckout(eva, testPrices.monthly)
    const customer = await actions.customerOf(eva)
    await at.controls.addFault({
      ...{ kind: 'slow', match: 'POST /v1/checkout/sessions', about: customer, delayMs: 500 },
    })
    const late = at.openCheckout(eva, testPrices.monthly)
    await slowCallArrives()
    expect((await deleteAccount(eva)).statusCode).toBe(200)
    await at.controls.completeCheckout(await late)
    await vi.waitFor(async () => expect(await statusesOf(customer)).toEqual(['canceled']), waitOptions)
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, true]])
    await at.settle()
  })

  it('refunds a checkout that was paid while it expired', async () => {
    const fay = await at.members.signUp()
    const page = await at.openCheckout(fay, testPrices.monthly)
    const customer = await actions.customerOf(fay)
    const [open] = (await at.stripe.checkout.sessions.list({ customer })).data
    const match = `POST /v1/checkout/sessions/${open?.id}/expire`
    await at.controls.addFault({ kind: 'slow', match, delayMs: 500 })
    const deletion = deleteAccount(fay)
    await slowCallArrives()
    await at.controls.completeCheckout(page)
    expect((await deletion).statusCode).toBe(200)
    expect(await statusesOf(customer)).toEqual(['canceled'])
    await at.settle()
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, true]])
    expect(await hasAccount(fay)).toBe(false)
    const { db } = at.site.context.database
    const emails = await db.outboxEmail.findMany({ where: { recipient: fay.email, kind: 'account-deleted' } })
    const refunds = [{ amount: 499, currency: 'usd', status: 'refunded' }]
    expect(emails).toMatchObject([{ data: { planName: null, refunds } }])
  })

  it('names the canceled plan in the email after a second attempt', async () => {
    const ida = await subscriber()
    at.site.clock.pass(2 * 60_000)
    const { id: about } = await actions.subscriptionOf(ida)
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/invoices', about, times: 100 })
    expect(refusalOf(await deleteAccount(ida))).toMatchObject({ code: 'payments-unavailable' })
    await at.controls.clearFaults()
    await actions.waitForStatus(ida, 'CANCELED')
    expect((await deleteAccount(ida)).statusCode).toBe(200)
    const { db } = at.site.context.database
    const emails = await db.outboxEmail.findMany({
      where: { recipient: ida.email, kind: 'account-deleted' },
    })
    expect(emails).toMatchObject([{ data: { planName: 'Monthly' } }])
  })

  it('refunds a checkout paid during the deletion when the first refund failed', async () => {
    const gus = await at.members.signUp()
    const page = await at.openCheckout(gus, testPrices.monthly)
    const customer = await actions.customerOf(gus)
    const [open] = (await at.stripe.checkout.sessions.list({ customer })).data
    await at.controls.addFault({
      ...{ kind: 'slow', match: `POST /v1/checkout/sessions/${open?.id}/expire`, delayMs: 500 },
    })
    const deletion = deleteAccount(gus)
    await slowCallArrives()
    await at.controls.addFault({ kind: 'server-error', match: 'POST /v1/refunds', times: 3 })
    await at.controls.completeCheckout(page)
    expect(refusalOf(await deletion)).toMatchObject({
      status: 503,
      code: 'payments-unavailable',
      message: expect.stringContaining("Your account wasn't deleted"),
    })
    at.site.clock.pass(10 * 60_000)
    expect((await deleteAccount(gus)).statusCode).toBe(200)
    await at.settle()
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.map(({ amount, refunded }) => [amount, refunded])).toEqual([[499, true]])
    expect(await statusesOf(customer)).toEqual(['canceled'])
  })

  it('refunds an upgrade made after a failed attempt', async () => {
    const hal = await subscriber()
    at.site.clock.pass(10 * 60_000)
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/checkout/sessions', times: 3 })
    expect((await deleteAccount(hal)).statusCode).toBe(503)
    at.site.clock.pass(10 * 60_000)
    const upgrade = { headers: hal.headers, body: { priceId: testPrices.yearly } }
    expect((await at.members.call('POST', '/member/plans/change', upgrade)).statusCode).toBe(200)
    const { id } = await actions.subscriptionOf(hal)
    at.site.clock.pass(10 * 60_000)
    await at.controls.addFault({ kind: 'server-error', match: `DELETE /v1/subscriptions/${id}`, times: 3 })
    expect((await deleteAccount(hal)).statusCode).toBe(503)
    const charged = async () => {
      const { data: charges } = await at.stripe.charges.list({ customer: hal.customer })
      return charges.map(({ amount, refunded }) => [amount, refunded])
    }
    expect(await statusesOf(hal.customer)).toEqual(['active'])
    expect(await charged()).toEqual([
      [4_500, false],
      [499, false],
    ])

    expect((await deleteAccount(hal)).statusCode).toBe(200)
    expect(await statusesOf(hal.customer)).toEqual(['canceled'])
    expect(await charged()).toEqual([
      [4_500, true],
      [499, false],
    ])
  })

  const steps: [what: string, match: (open: string, subscription: string) => string][] = [
    ['listing open checkouts', () => 'GET /v1/checkout/sessions'],
    ['expiring a checkout', (open) => `POST /v1/checkout/sessions/${open}/expire`],
    ['listing subscriptions', () => 'GET /v1/subscriptions'],
    ['canceling a subscription', (_open, subscription) => `DELETE /v1/subscriptions/${subscription}`],
  ]

  it.concurrent.each(steps)(
    'keeps the account when %s fails, and succeeds when repeated',
    async (_what, matchOf) => {
      const deletion = await Promise.all(
        kinds.map(async (kind) => ({ kind, ...(await subscriberWithCheckout()) })),
      )
      await at.settle()
      const results = await Promise.all(
        deletion.map(async ({ kind, member, open, subscription }) => {
          const match = matchOf(open, subscription)
          // Only lists name the customer.
          const about = match.startsWith('GET') ? member.customer : ''
          await at.controls.addFault({ kind, match, about, times: kind === 'rate-limit' ? 1 : 3 })
          const { status, code } = refusalOf(await deleteAccount(member))
          const isKept = await hasAccount(member)
          const isCanceled = (await statusesOf(member.customer)).includes('canceled')
          const again = (await deleteAccount(member)).statusCode
          const session = await at.stripe.checkout.sessions.retrieve(open)
          const left = [...(await statusesOf(member.customer)), session.status, await hasAccount(member)]
          return { kind, status, code, isKept, isCanceled, again, left }
        }),
      )
      expect(results).toEqual(
        kinds.map((kind) => ({
          kind,
          ...{ status: 503, code: 'payments-unavailable', isKept: true, again: 200 },
          // A cancellation whose response was lost has succeeded.
          isCanceled: kind.endsWith('after') && matchOf('', '').startsWith('DELETE'),
          left: ['canceled', 'expired', false],
        })),
      )
    },
  )

  it('deletes the account once for concurrent requests', async () => {
    const ida = await subscriber()
    const replies = await Promise.all([deleteAccount(ida), deleteAccount(ida)])
    expect(replies.map(({ statusCode }) => statusCode)).toContain(200)
    expect(replies.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
    expect(await statusesOf(ida.customer)).toEqual(['canceled'])
    expect(await hasAccount(ida)).toBe(false)
  })
})
