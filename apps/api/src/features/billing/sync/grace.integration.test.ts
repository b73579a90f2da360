import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const graceDays = 2

let at: PaymentSite
let actions: PaymentActions
let ann: TestMember

/** Starts a site with a grace period of two days and a subscriber whose next payment fails. */
async function start(afterLastRetry: 'cancel' | 'unpaid' | 'past_due'): Promise<void> {
  at = await startPaymentSite({
    env: { PAYMENT_GRACE_DAYS: String(graceDays) },
    stripe: { afterLastRetry },
  })
  actions = createPaymentActions(at)
  ann = await at.members.signUp()
  await at.subscribe(ann, testPrices.monthly)
  await actions.changeCard(ann, testCards.failsLater)
}

describe('an unpaid renewal', () => {
  beforeEach(() => start('cancel'))
  afterEach(() => at.close())

  it('keeps the plan active until the grace period ends', async () => {
    await actions.pass(30)
    const owing = await actions.memberNow(ann)
    expect(paidPlansOf(owing)).toMatchObject([
      {
        ...{ active: true, status: 'PAST_DUE' },
        payment: {
          status: 'UNPAID',
          lastBillingDate: '2026-11-20T17:00:00.000Z',
          nextBillingDate: expect.stringMatching(/^2027-01-/),
        },
      },
    ])
    expect(owing.permissions).toEqual(['paid'])

    at.site.clock.pass(graceDays * 24 * 3_600_000 - 1)
    await at.site.context.reconciliation.sweep()
    expect((await actions.memberNow(ann)).permissions).toEqual(['paid'])

    at.site.clock.pass(2)
    await at.site.context.reconciliation.sweep()
    const closed = await actions.memberNow(ann)
    expect(paidPlansOf(closed)).toMatchObject([{ active: false, status: 'PAST_DUE' }])
    expect(closed.permissions).toEqual([])
  })

  it('reactivates the plan once it is paid', async () => {
    await actions.pass(30)
    at.site.clock.pass(graceDays * 24 * 3_600_000)
    await at.site.context.reconciliation.sweep()
    await actions.changeCard(ann, testCards.good)
    await actions.pass(5)
    const paid = await actions.memberNow(ann)
    expect(paidPlansOf(paid)).toMatchObject([{ active: true, status: 'ACTIVE', payment: { status: 'PAID' } }])
    expect(paid.permissions).toEqual(['paid'])
  })

  it('ends the plan after the last attempt', async () => {
    await actions.pass(46)
    expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
    const ended = await actions.memberNow(ann)
    expect(paidPlansOf(ended)).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(ended.permissions).toEqual([])
  })

  it('closes the plan in the next sweep when Stripe is unavailable', async () => {
    await actions.pass(30)
    at.site.clock.pass(graceDays * 24 * 3_600_000 + 1)
    const { reconciliation } = at.site.context
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 3 })
    await expect(reconciliation.sweep()).rejects.toThrow()
    await reconciliation.sweep()
    expect((await actions.memberNow(ann)).permissions).toEqual([])
  })
})

describe('a subscription that is never paid', () => {
  afterEach(() => at.close())

  it('has no active plan while Stripe marks it unpaid, and an active one once it is paid', async () => {
    await start('unpaid')
    await actions.pass(46)
    expect((await actions.subscriptionOf(ann)).status).toBe('unpaid')
    const closed = await actions.memberNow(ann)
    expect(paidPlansOf(closed)).toMatchObject([
      { active: false, status: 'UNPAID', payment: { nextBillingDate: null } },
    ])
    expect(closed.permissions).toEqual([])

    await actions.changeCard(ann, testCards.good)
    const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
    await at.stripe.invoices.pay(String(invoice))
    await at.settle()
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })

  it('gets no second grace period with the next renewal', async () => {
    await start('past_due')
    await actions.pass(30)
    await actions.pass(20)
    await at.site.context.reconciliation.sweep()
    expect((await actions.memberNow(ann)).permissions).toEqual([])
    await actions.pass(12)
    expect((await actions.subscriptionOf(ann)).status).toBe('past_due')
    expect((await actions.memberNow(ann)).permissions).toEqual([])
  })
})
