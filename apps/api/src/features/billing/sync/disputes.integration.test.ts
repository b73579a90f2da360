import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startInbox, type TestInbox } from '#test/inbox.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const disputeSubject = 'Your Tidings plan was canceled after a payment dispute'

let inbox: TestInbox
let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
beforeAll(async () => {
  inbox = await startInbox()
  at = await startPaymentSite({ env: { SMTP_URL: inbox.smtpUrl } })
  actions = createPaymentActions(at)
})
afterAll(async () => {
  await at.close()
  await inbox.stop()
})
beforeEach(async () => {
  ann = await at.members.signUp()
  await at.subscribe(ann, testPrices.monthly)
})

async function subjects(): Promise<string[]> {
  await actions.waitForEmails()
  const mails = (await inbox.mailsTo(ann.email)).map(({ subject }) => subject).reverse()
  // Without the sign-up code and the welcome email.
  return mails.filter((subject) => !subject.endsWith('code')).slice(1)
}

async function disableWebhooks(): Promise<void> {
  await at.controls.setWebhooks({ mode: 'off' })
  onTestFinished(async () => void (await at.controls.setWebhooks({ mode: 'on' })))
}

describe('a payment dispute', () => {
  it.each(['needs_response', 'appeal_pending', 'lost'])(
    'with status %s cancels the subscription and refunds nothing',
    async (status) => {
      await actions.pass(31)
      const renewal = await actions.chargeOf(ann)
      await at.controls.openDispute(renewal, { status })
      const closed = await actions.waitForStatus(ann, 'CANCELED')
      expect(closed.permissions).toEqual([])
      expect((await actions.subscriptionOf(ann)).status).toBe('canceled')

      await actions.pass(31)
      const { data: charges } = await at.stripe.charges.list({ customer: await actions.customerOf(ann) })
      expect(charges.map(({ amount_refunded: refunded }) => refunded)).toEqual([0, 0])
      expect(await subjects()).toEqual([disputeSubject])
    },
  )

  it.each(['warning_needs_response', 'prevented', 'won'])(
    'with status %s changes nothing',
    async (status) => {
      await at.controls.openDispute(await actions.chargeOf(ann), { status })
      await at.settle()
      expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
      expect(await subjects()).toEqual([])
    },
  )

  it('is idempotent under repeated and concurrent calls', async () => {
    await disableWebhooks()
    const { id } = await at.controls.openDispute(await actions.chargeOf(ann))
    const { subscriptionSync } = at.site.context
    await Promise.all([1, 2, 3].map(() => subscriptionSync.cancelDisputed(id)))
    await subscriptionSync.cancelDisputed(id)
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(await subjects()).toEqual([disputeSubject])
  })

  it('closes the plan after a crash between the cancellation and the update', async () => {
    await disableWebhooks()
    const { id } = await at.controls.openDispute(await actions.chargeOf(ann))
    const { subscriptionSync } = at.site.context
    await at.controls.addFault({ kind: 'reset-after', match: 'DELETE /v1/subscriptions', times: 3 })
    await expect(subscriptionSync.cancelDisputed(id)).rejects.toThrow()
    expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: true }])

    await subscriptionSync.cancelDisputed(id)
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(await subjects()).toEqual([disputeSubject])
  })

  it('does not affect a later subscription', async () => {
    const { id } = await at.controls.openDispute(await actions.chargeOf(ann))
    await actions.waitForStatus(ann, 'CANCELED')
    at.site.clock.pass(10_000)
    await at.subscribe(ann, testPrices.yearly)
    await at.controls.closeDispute(id, 'lost')
    await at.settle()
    await at.site.context.reconciliation.reconcile()
    expect((await actions.subscriptionOf(ann)).status).toBe('active')
    expect((await at.memberOf(ann)).permissions).toEqual(['paid'])
  })
})
