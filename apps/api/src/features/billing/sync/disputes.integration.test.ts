import { describe, expect } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const disputeSubject = 'Your Tidings plan was canceled after a payment dispute'
let ann: TestMember

const it = paymentMailTest().extend('subjects', { scope: 'file' }, ({ emailsTo }) => async () => {
  // Without the welcome email.
  return (await emailsTo(ann)).map(({ subject }) => subject).slice(1)
})

it.beforeEach(async ({ payments, members }) => {
  ann = await members.signUp()
  await payments.subscribe(ann, testPrices.monthly)
})

describe('a payment dispute', () => {
  it.for(['needs_response', 'appeal_pending', 'lost'])(
    'with status %s cancels the subscription and refunds nothing',
    async (status, { payments, actions, subjects }) => {
      await actions.pass(31)
      const renewal = await actions.chargeOf(ann)
      await payments.controls.openDispute(renewal, { status })
      const closed = await actions.waitForStatus(ann, 'CANCELED')
      expect(closed.permissions).toEqual([])
      expect((await actions.subscriptionOf(ann)).status).toBe('canceled')

      await actions.pass(31)
      expect(await actions.refundedOf(await actions.customerOf(ann))).toEqual([0, 0])
      expect(await subjects()).toEqual([disputeSubject])
    },
  )

  it.for(['warning_needs_response', 'prevented', 'won'])(
    'with status %s changes nothing',
    async (status, { payments, actions, subjects }) => {
      await payments.controls.openDispute(await actions.chargeOf(ann), { status })
      await payments.settle()
      expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
      expect(await subjects()).toEqual([])
    },
  )

  it.for([
    ['lost', false, [disputeSubject]],
    ['won', true, []],
  ] as const)(
    'that is %s counts once, although its webhooks come twice and out of order',
    async ([status, active, expected], { payments, actions, stripe, subjects }) => {
      await payments.controls.setWebhooks({ mode: 'off' })
      const { id } = await payments.controls.openDispute(await actions.chargeOf(ann))
      await payments.controls.closeDispute(id, status)
      await payments.controls.setWebhooks({ mode: 'on' })
      const { data } = await stripe.events.list({ limit: 10 })
      const about = data.filter(
        ({ type, data: { object } }) => type.includes('dispute') && 'id' in object && object.id === id,
      )
      expect(about.map(({ type }) => type)).toContain('charge.dispute.created')
      // Newest first, then all again.
      for (const event of [...about, ...about]) {
        await payments.controls.resendEvent(event.id)
        await payments.settle()
      }
      expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active }])
      const statuses = (await actions.subscriptionsOf(ann)).map((subscription) => subscription.status)
      expect(statuses).toEqual([active ? 'active' : 'canceled'])
      expect(await subjects()).toEqual(expected)
    },
  )

  it('is idempotent under repeated and concurrent calls', async ({ payments, actions, site, subjects }) => {
    await actions.disableWebhooks()
    const { id } = await payments.controls.openDispute(await actions.chargeOf(ann))
    const { subscriptionSync, reconciliation } = site.context
    await Promise.all([1, 2, 3].map(() => subscriptionSync.cancelDisputed(id)))
    await subscriptionSync.cancelDisputed(id)
    await reconciliation.reconcile()
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(await subjects()).toEqual([disputeSubject])
  })

  it('closes the plan after a crash between the cancellation and the update', async ({
    payments,
    actions,
    site,
    subjects,
  }) => {
    await actions.disableWebhooks()
    const { id } = await payments.controls.openDispute(await actions.chargeOf(ann))
    const { subscriptionSync } = site.context
    await payments.controls.addFault({ kind: 'reset-after', match: 'DELETE /v1/subscriptions', times: 3 })
    await expect(subscriptionSync.cancelDisputed(id)).rejects.toThrow()
    expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true }])

    await subscriptionSync.cancelDisputed(id)
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(await subjects()).toEqual([disputeSubject])
  })

  it('does not affect a later subscription', async ({ payments, actions, site }) => {
    const { id } = await payments.controls.openDispute(await actions.chargeOf(ann))
    await actions.waitForStatus(ann, 'CANCELED')
    site.clock.pass(10_000)
    await payments.subscribe(ann, testPrices.yearly)
    await payments.controls.closeDispute(id, 'lost')
    await payments.settle()
    await site.context.reconciliation.reconcile()
    expect((await actions.subscriptionOf(ann)).status).toBe('active')
    expect((await payments.memberOf(ann)).permissions).toEqual(['paid'])
  })
})
