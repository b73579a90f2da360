import { describe, expect, test } from 'vitest'
import { createPaymentActions, paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { startPaymentSite, testPrices } from '#test/sites/payment-site.ts'

const graceMs = 2 * 24 * 3_600_000
/** Stripe charges a renewal an hour after its period has begun, from which the grace period counts. */
const hourMs = 3_600_000

/** Returns a test with a site of its own, whose clock it moves, and a subscriber whose next payment fails. */
function graceTest(afterLastRetry: 'cancel' | 'unpaid' | 'past_due') {
  return test
    .extend('afterLastRetry', () => afterLastRetry)
    .extend('payments', async ({ afterLastRetry }, { onCleanup }) => {
      const env = { PAYMENT_GRACE_DAYS: '2' }
      const payments = await startPaymentSite({ env, stripe: { afterLastRetry } })
      onCleanup(() => payments.close())
      return payments
    })
    .extend('actions', ({ payments }) => createPaymentActions(payments))
    .extend('site', ({ payments }) => payments.site)
    .extend('ann', async ({ payments, actions }) => {
      const ann = await payments.members.signUp()
      await payments.subscribe(ann, testPrices.monthly)
      await actions.changeCard(ann, testCards.failsLater)
      return ann
    })
}

const it = graceTest('cancel')
const unpaidTest = graceTest('unpaid')
const pastDueTest = graceTest('past_due')

describe('an unpaid renewal', () => {
  it('keeps the plan active until the grace period ends', async ({ actions, site, ann }) => {
    await actions.pass(30)
    const owing = await actions.memberNow(ann)
    expect(paidPlansOf(owing)).toMatchObject([
      {
        active: true,
        status: 'PAST_DUE',
        payment: {
          status: 'UNPAID',
          lastBillingDate: '2026-11-20T17:00:00.000Z',
          nextBillingDate: expect.stringMatching(/^2027-01-/),
        },
      },
    ])
    expect(owing.permissions).toEqual(['paid'])

    site.clock.pass(graceMs - hourMs - 1)
    await site.context.reconciliation.sweep()
    expect((await actions.memberNow(ann)).permissions).toEqual(['paid'])

    site.clock.pass(2)
    await site.context.reconciliation.sweep()
    const closed = await actions.memberNow(ann)
    expect(paidPlansOf(closed)).toMatchObject([{ active: false, status: 'PAST_DUE' }])
    expect(closed.permissions).toEqual([])
  })

  it('reactivates the plan once it is paid', async ({ actions, site, ann }) => {
    await actions.pass(30)
    site.clock.pass(graceMs)
    await site.context.reconciliation.sweep()
    await actions.changeCard(ann, testCards.good)
    await actions.pass(5)
    const paid = await actions.memberNow(ann)
    expect(paidPlansOf(paid)).toMatchObject([{ active: true, status: 'ACTIVE', payment: { status: 'PAID' } }])
    expect(paid.permissions).toEqual(['paid'])
  })

  it('ends the plan after the last attempt', async ({ actions, ann }) => {
    await actions.pass(46)
    expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
    const ended = await actions.memberNow(ann)
    expect(paidPlansOf(ended)).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(ended.permissions).toEqual([])
  })

  it('closes the plan in the next sweep when Stripe is unavailable', async ({
    payments,
    actions,
    site,
    ann,
  }) => {
    await actions.pass(30)
    site.clock.pass(graceMs + 1)
    const { reconciliation } = site.context
    // Enough for a job that may run meanwhile, too.
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 1_000 })
    await expect(reconciliation.sweep()).rejects.toThrow()
    await payments.controls.clearFaults()
    await reconciliation.sweep()
    expect((await actions.memberNow(ann)).permissions).toEqual([])
  })
})

describe('a subscription that is never paid', () => {
  unpaidTest(
    'has no active plan while Stripe marks it unpaid, and an active one once it is paid',
    async ({ payments, actions, ann }) => {
      await actions.pass(46)
      expect((await actions.subscriptionOf(ann)).status).toBe('unpaid')
      const closed = await actions.memberNow(ann)
      expect(paidPlansOf(closed)).toMatchObject([
        { active: false, status: 'UNPAID', payment: { nextBillingDate: null } },
      ])
      expect(closed.permissions).toEqual([])

      await actions.changeCard(ann, testCards.good)
      const { latest_invoice: invoice } = await actions.subscriptionOf(ann)
      await payments.stripe.invoices.pay(String(invoice))
      await payments.settle()
      expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
    },
  )

  pastDueTest('gets no second grace period with the next renewal', async ({ actions, site, ann }) => {
    await actions.pass(30)
    await actions.pass(20)
    await site.context.reconciliation.sweep()
    expect((await actions.memberNow(ann)).permissions).toEqual([])
    await actions.pass(12)
    expect((await actions.subscriptionOf(ann)).status).toBe('past_due')
    expect((await actions.memberNow(ann)).permissions).toEqual([])
  })
})
