import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { createPaymentStory, type PaymentStory, paidPlansOf, testCards } from '#test/payment-story.ts'

const graceDays = 2

let at: PaymentSite
let story: PaymentStory
let ann: TestMember

/** A site that gives two days to pay; what becomes of whoever never pays is the payment service's setting. */
async function start(afterLastRetry: 'cancel' | 'unpaid' | 'past_due'): Promise<void> {
  at = await startPaymentSite({
    env: { PAYMENT_GRACE_DAYS: String(graceDays) },
    stripe: { afterLastRetry },
  })
  story = createPaymentStory(at)
  ann = await at.members.signUp()
  await at.subscribe(ann, testPrices.monthly)
  await story.changeCard(ann, testCards.failsLater)
}

describe('a renewal that is not paid', () => {
  beforeEach(() => start('cancel'))
  afterEach(() => at.close())

  it('leaves the plan open for the time of grace, and not a moment longer', async () => {
    await story.pass(30)
    const owing = await story.memberNow(ann)
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
    await at.site.context.reconciling.sweep()
    expect((await story.memberNow(ann)).permissions).toEqual(['paid'])

    at.site.clock.pass(2)
    await at.site.context.reconciling.sweep()
    const closed = await story.memberNow(ann)
    expect(paidPlansOf(closed)).toMatchObject([{ active: false, status: 'PAST_DUE' }])
    expect(closed.permissions).toEqual([])
  })

  it('opens the plan again once it is paid', async () => {
    await story.pass(30)
    at.site.clock.pass(graceDays * 24 * 3_600_000)
    await at.site.context.reconciling.sweep()
    await story.changeCard(ann, testCards.good)
    await story.pass(5)
    const paid = await story.memberNow(ann)
    expect(paidPlansOf(paid)).toMatchObject([{ active: true, status: 'ACTIVE', payment: { status: 'PAID' } }])
    expect(paid.permissions).toEqual(['paid'])
  })

  it('ends the plan after the last try', async () => {
    await story.pass(46)
    expect((await story.subscriptionOf(ann)).status).toBe('canceled')
    const ended = await story.memberNow(ann)
    expect(paidPlansOf(ended)).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(ended.permissions).toEqual([])
  })

  it('closes nothing when the sweep cannot reach the payment service, and closes it at the next one', async () => {
    await story.pass(30)
    at.site.clock.pass(graceDays * 24 * 3_600_000 + 1)
    const { reconciling } = at.site.context
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 3 })
    await expect(reconciling.sweep()).rejects.toThrow()
    await reconciling.sweep()
    expect((await story.memberNow(ann)).permissions).toEqual([])
  })
})

describe('who never pays', () => {
  afterEach(() => at.close())

  it('is without the plan when the payment service calls it unpaid, and has it back when it is paid', async () => {
    await start('unpaid')
    await story.pass(46)
    expect((await story.subscriptionOf(ann)).status).toBe('unpaid')
    const closed = await story.memberNow(ann)
    expect(paidPlansOf(closed)).toMatchObject([
      { active: false, status: 'UNPAID', payment: { nextBillingDate: null } },
    ])
    expect(closed.permissions).toEqual([])

    await story.changeCard(ann, testCards.good)
    const { latest_invoice: invoice } = await story.subscriptionOf(ann)
    await at.stripe.invoices.pay(String(invoice))
    await at.settle()
    expect(paidPlansOf(await story.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })

  it('has no second grace with the next month', async () => {
    await start('past_due')
    await story.pass(30)
    await story.pass(20)
    await at.site.context.reconciling.sweep()
    expect((await story.memberNow(ann)).permissions).toEqual([])
    await story.pass(12)
    expect((await story.subscriptionOf(ann)).status).toBe('past_due')
    expect((await story.memberNow(ann)).permissions).toEqual([])
  })
})
