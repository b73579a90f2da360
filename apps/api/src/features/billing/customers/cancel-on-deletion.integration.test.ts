import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const minuteMs = 60_000

const it = paymentTest().extend(
  'accounts',
  { scope: 'file' },
  ({ payments, actions, members, stripe, db }) => ({
    async subscribe(priceId: string = testPrices.monthly) {
      const member = await members.signUp()
      await payments.subscribe(member, priceId)
      return { ...member, customer: await actions.customerOf(member) }
    },
    async delete({ headers }: TestMember) {
      return await members.call('DELETE', '/member', { headers })
    },
    async exists({ memberId }: TestMember): Promise<boolean> {
      return (await db.member.count({ where: { id: memberId } })) === 1
    },
    /** Returns the statuses of a customer's subscriptions. */
    async statusesOf(customer: string) {
      const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
      return data.map(({ status }) => status)
    },
    /** Returns a customer's charges in cents, newest first, and whether each was refunded. */
    async chargesOf(customer: string) {
      const { data } = await stripe.charges.list({ customer })
      return data.map(({ amount, refunded }) => [amount, refunded])
    },
    async deletionEmailsTo({ email }: TestMember) {
      return await db.outboxEmail.findMany({ where: { recipient: email, kind: 'account-deleted' } })
    },
  }),
)

describe('DELETE /member', () => {
  it('cancels the subscription', async ({ accounts, payments, members }) => {
    const ann = await accounts.subscribe()
    payments.site.clock.pass(2 * minuteMs)
    const reply = await accounts.delete(ann)
    expect([reply.statusCode, reply.json()]).toEqual([200, { data: { id: ann.memberId } }])
    expect(await accounts.statusesOf(ann.customer)).toEqual(['canceled'])
    await payments.settle()
    expect(await accounts.exists(ann)).toBe(false)
    expect((await members.call('GET', '/member', { headers: ann.headers })).json()).toEqual({ data: null })
    expect(await accounts.chargesOf(ann.customer)).toEqual([[499, false]])
    expect(await accounts.deletionEmailsTo(ann)).toMatchObject([
      { data: { planName: 'Monthly', refunds: [] } },
    ])
  })

  it('cancels a subscription with a scheduled change', async ({ accounts, members, stripe }) => {
    const { customer, ...bea } = await accounts.subscribe(testPrices.yearly)
    await members.call('POST', '/member/plans/change', {
      headers: bea.headers,
      body: { priceId: testPrices.monthly },
    })
    expect((await accounts.delete(bea)).statusCode).toBe(200)
    expect(await accounts.statusesOf(customer)).toEqual(['canceled'])
    const { data } = await stripe.subscriptionSchedules.list({ customer })
    expect(data.filter(({ status }) => status === 'active' || status === 'not_started')).toEqual([])
  })

  it('needs no call to Stripe for a member who never paid', async ({ accounts, payments, members }) => {
    const cam = await members.signUp()
    await payments.controls.addFault({ kind: 'server-error', about: cam.memberId, times: 100 })
    expect((await accounts.delete(cam)).statusCode).toBe(200)
    expect(await accounts.exists(cam)).toBe(false)
    await payments.controls.clearFaults()
  })

  it('expires open checkouts', async ({ accounts, actions, payments, members }) => {
    const dan = await members.signUp()
    const pages = [
      await payments.openCheckout(dan, testPrices.monthly),
      await payments.openSecondCheckout(dan, testPrices.yearly),
    ]
    const customer = await actions.customerOf(dan)
    expect((await accounts.delete(dan)).statusCode).toBe(200)
    for (const page of pages) {
      expect(await payments.controls.completeCheckout(page)).toMatchObject({
        status: 'expired',
        error: { code: 'session_not_open' },
      })
    }
    expect(await accounts.statusesOf(customer)).toEqual([])
    expect(await accounts.chargesOf(customer)).toEqual([])
  })

  it('refunds a checkout that opened during the deletion', async ({
    accounts,
    actions,
    payments,
    members,
  }) => {
    const eva = await members.signUp()
    await payments.openCheckout(eva, testPrices.monthly)
    const customer = await actions.customerOf(eva)
    const held = await actions.hold({ match: 'POST /v1/checkout/sessions', about: customer })
    const late = payments.openCheckout(eva, testPrices.monthly)
    await held.arrived()
    expect((await accounts.delete(eva)).statusCode).toBe(200)
    await held.release()
    await payments.controls.completeCheckout(await late)
    await vi.waitFor(
      async () => expect(await accounts.statusesOf(customer)).toEqual(['canceled']),
      waitOptions,
    )
    expect(await accounts.chargesOf(customer)).toEqual([[499, true]])
    await payments.settle()
  })

  it('refunds a checkout that was paid while it expired', async ({
    accounts,
    actions,
    payments,
    members,
    stripe,
  }) => {
    const fay = await members.signUp()
    const page = await payments.openCheckout(fay, testPrices.monthly)
    const customer = await actions.customerOf(fay)
    const [open] = (await stripe.checkout.sessions.list({ customer })).data
    const held = await actions.hold({ match: `POST /v1/checkout/sessions/${open?.id}/expire` })
    const deletion = accounts.delete(fay)
    await held.arrived()
    await payments.controls.completeCheckout(page)
    await held.release()
    expect((await deletion).statusCode).toBe(200)
    expect(await accounts.statusesOf(customer)).toEqual(['canceled'])
    await payments.settle()
    expect(await accounts.chargesOf(customer)).toEqual([[499, true]])
    expect(await accounts.exists(fay)).toBe(false)
    const refunds = [{ amount: 499, currency: 'usd', status: 'refunded' }]
    expect(await accounts.deletionEmailsTo(fay)).toMatchObject([{ data: { planName: null, refunds } }])
  })

  it('names the canceled plan in the email after a second attempt', async ({
    accounts,
    actions,
    payments,
  }) => {
    const ida = await accounts.subscribe()
    payments.site.clock.pass(2 * minuteMs)
    const { id: about } = await actions.subscriptionOf(ida)
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/invoices', about, times: 100 })
    expect(refusalOf(await accounts.delete(ida))).toMatchObject({ code: 'payments-unavailable' })
    await payments.controls.clearFaults()
    await actions.waitForStatus(ida, 'CANCELED')
    expect((await accounts.delete(ida)).statusCode).toBe(200)
    expect(await accounts.deletionEmailsTo(ida)).toMatchObject([{ data: { planName: 'Monthly' } }])
  })

  it('refunds a checkout paid during the deletion when the first refund failed', async ({
    accounts,
    actions,
    payments,
    members,
    stripe,
  }) => {
    const gus = await members.signUp()
    const page = await payments.openCheckout(gus, testPrices.monthly)
    const customer = await actions.customerOf(gus)
    const [open] = (await stripe.checkout.sessions.list({ customer })).data
    const held = await actions.hold({ match: `POST /v1/checkout/sessions/${open?.id}/expire` })
    const deletion = accounts.delete(gus)
    await held.arrived()
    await payments.controls.completeCheckout(page)
    await payments.controls.addFault({ kind: 'server-error', match: 'POST /v1/refunds', times: 3 })
    await held.release()
    expect(refusalOf(await deletion)).toMatchObject({
      status: 503,
      code: 'payments-unavailable',
      message: expect.stringContaining("Your account wasn't deleted"),
    })
    payments.site.clock.pass(10 * minuteMs)
    expect((await accounts.delete(gus)).statusCode).toBe(200)
    await payments.settle()
    expect(await accounts.chargesOf(customer)).toEqual([[499, true]])
    expect(await accounts.statusesOf(customer)).toEqual(['canceled'])
  })

  it('refunds an upgrade made after a failed attempt', async ({ accounts, actions, payments, members }) => {
    const { clock } = payments.site
    const { customer, ...hal } = await accounts.subscribe()
    clock.pass(10 * minuteMs)
    const match = 'GET /v1/checkout/sessions'
    await payments.controls.addFault({ kind: 'server-error', match, times: 3 })
    expect((await accounts.delete(hal)).statusCode).toBe(503)
    clock.pass(10 * minuteMs)
    const upgrade = { headers: hal.headers, body: { priceId: testPrices.yearly } }
    expect((await members.call('POST', '/member/plans/change', upgrade)).statusCode).toBe(200)
    const { id } = await actions.subscriptionOf(hal)
    clock.pass(10 * minuteMs)
    const cancellation = `DELETE /v1/subscriptions/${id}`
    await payments.controls.addFault({ kind: 'server-error', match: cancellation, times: 3 })
    expect((await accounts.delete(hal)).statusCode).toBe(503)
    expect(await accounts.statusesOf(customer)).toEqual(['active'])
    expect(await accounts.chargesOf(customer)).toEqual([
      [4_500, false],
      [499, false],
    ])

    expect((await accounts.delete(hal)).statusCode).toBe(200)
    expect(await accounts.statusesOf(customer)).toEqual(['canceled'])
    expect(await accounts.chargesOf(customer)).toEqual([
      [4_500, true],
      [499, false],
    ])
  })

  it('deletes the account once for concurrent requests', async ({ accounts }) => {
    const ida = await accounts.subscribe()
    const replies = await Promise.all([accounts.delete(ida), accounts.delete(ida)])
    expect(replies.map(({ statusCode }) => statusCode)).toContain(200)
    expect(replies.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
    expect(await accounts.statusesOf(ida.customer)).toEqual(['canceled'])
    expect(await accounts.exists(ida)).toBe(false)
  })
})
