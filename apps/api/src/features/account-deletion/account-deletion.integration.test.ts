import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { createDeletionActions } from '#test/payments/deletion-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const minuteMs = 60_000
const refunded = { amount: 499, currency: 'usd', status: 'refunded' }

const it = paymentTest().extend('accounts', { scope: 'file' }, createDeletionActions)

describe('DELETE /member', () => {
  it('cancels the subscription, keeps earlier payments and removes the customer', async ({
    accounts,
    payments,
    members,
  }) => {
    const ann = await accounts.subscribe()
    payments.site.clock.pass(2 * minuteMs)
    const reply = await accounts.delete(ann)
    expect([reply.statusCode, reply.json()]).toEqual([200, { data: { id: ann.memberId } }])
    await accounts.waitUntilClosed(ann)
    expect(await accounts.statusesOf(ann.customer)).toEqual(['canceled'])
    await payments.settle()
    expect(await accounts.exists(ann)).toBe(false)
    expect((await members.call('GET', '/member', { headers: ann.headers })).json()).toEqual({ data: null })
    expect(await accounts.chargesOf(ann.customer)).toEqual([[499, false]])
    expect(await accounts.emailsTo(ann)).toEqual([
      { kind: 'account-deleted', data: { planName: 'Monthly', refunds: [], customer: 'deleted' } },
    ])
    expect(await accounts.customerAtStripe(ann.customer)).toMatchObject({ deleted: true })
    expect(await accounts.deletionOf(ann)).toBeNull()
  })

  it('cancels a subscription with a scheduled change', async ({ accounts, members, stripe }) => {
    const bea = await accounts.subscribe(testPrices.yearly)
    const { customer } = bea
    await members.call('POST', '/member/plans/change', {
      headers: bea.headers,
      body: { priceId: testPrices.monthly },
    })
    expect((await accounts.delete(bea)).statusCode).toBe(200)
    await accounts.waitUntilClosed(bea)
    expect(await accounts.statusesOf(customer)).toEqual(['canceled'])
    const { data } = await stripe.subscriptionSchedules.list()
    const own = data.filter((schedule) => schedule.customer === customer)
    expect(own.filter(({ status }) => status === 'active' || status === 'not_started')).toEqual([])
  })

  it('deletes a member who never opened a checkout at once, without a call to Stripe', async ({
    accounts,
    payments,
    members,
  }) => {
    const cam = await members.signUp()
    await payments.controls.addFault({ kind: 'server-error', about: cam.memberId, times: 100 })
    expect((await accounts.delete(cam)).statusCode).toBe(200)
    expect([await accounts.exists(cam), await accounts.deletionOf(cam)]).toEqual([false, null])
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
    await accounts.waitUntilClosed(dan)
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
    await accounts.waitUntilClosed(eva)
    // The customer waits for what a request may still open.
    expect(await accounts.customerAtStripe(customer)).not.toMatchObject({ deleted: true })
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
    db,
  }) => {
    const fay = await members.signUp()
    await db.member.update({ where: { id: fay.memberId }, data: { verified: true } })
    const page = await payments.openCheckout(fay, testPrices.monthly)
    const customer = await actions.customerOf(fay)
    const [open] = (await stripe.checkout.sessions.list({ customer })).data
    const held = await actions.hold({ match: `POST /v1/checkout/sessions/${open?.id}/expire` })
    expect((await accounts.delete(fay)).statusCode).toBe(200)
    await held.arrived()
    await payments.controls.completeCheckout(page)
    await held.release()
    await accounts.waitUntilClosed(fay)
    await payments.settle()
    expect(await accounts.statusesOf(customer)).toEqual(['canceled'])
    expect(await accounts.chargesOf(customer)).toEqual([[499, true]])
    expect(await accounts.emailsTo(fay)).toMatchObject([
      { kind: 'account-deleted', data: { planName: null, refunds: [refunded] } },
    ])
  })

  it.for([
    ['by the deletion', false],
    ['by a sync that comes first', true],
  ] as const)(
    'refunds a second payment that no sync has seen %s, and keeps the first one',
    async ([, isSyncedFirst], { accounts, actions, payments, site }) => {
      const gus = await accounts.subscribe()
      const page = await payments.openSecondCheckout(gus, testPrices.monthly)
      site.clock.pass(1_000)
      await actions.disableWebhooks()
      await payments.controls.completeCheckout(page)
      await accounts.pass(30 * minuteMs)
      if (isSyncedFirst) await accounts.failCalls(gus.customer)
      await accounts.delete(gus)
      if (isSyncedFirst) {
        await accounts.loseJobs()
        await payments.controls.clearFaults()
        await site.context.subscriptionSync.sync(gus.customer)
      }
      await site.context.accountDeletion.close(gus.memberId)

      expect(await accounts.chargesOf(gus.customer)).toEqual([
        [499, true],
        [499, false],
      ])
      expect(await accounts.statusesOf(gus.customer)).toEqual(['canceled', 'canceled'])
      await accounts.waitUntilClosed(gus)
      expect((await accounts.emailsTo(gus)).at(-1)).toMatchObject({
        kind: 'account-deleted',
        data: { refunds: [refunded] },
      })
    },
  )

  it('makes a second request the request of a visitor, and deletes once for concurrent ones', async ({
    accounts,
    payments,
  }) => {
    const ida = await accounts.subscribe()
    await accounts.failCalls(ida.customer)
    const replies = await Promise.all([accounts.delete(ida), accounts.delete(ida)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()[0]).toBe(200)
    expect(replies.filter(({ statusCode }) => statusCode >= 500)).toEqual([])
    expect(refusalOf(await accounts.delete(ida))).toMatchObject({ status: 401, code: 'client/invalid-token' })
    await payments.controls.clearFaults()
    const { accountDeletion } = payments.site.context
    await Promise.all([1, 2, 3].map(() => accountDeletion.close(ida.memberId)))
    await accounts.waitUntilClosed(ida)
    await payments.settle()
    expect(await accounts.statusesOf(ida.customer)).toEqual(['canceled'])
    expect(await accounts.emailsTo(ida)).toHaveLength(1)
  })
})
