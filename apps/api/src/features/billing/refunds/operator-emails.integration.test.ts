import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refundTest } from '#test/payments/refund-actions.ts'

const operator = 'operator@example.com'
const subject = 'Tidings: a refund needs you'

function operatorTest(env: Record<string, string>) {
  // A failed refund is logged as an error.
  return refundTest({ env, overrides: { logger: createCapturedLog().logger } }).extend(
    'operatorMails',
    { scope: 'file' },
    ({ actions, inbox }) =>
      async () => {
        await actions.waitForEmails()
        return await inbox.mailsTo(operator)
      },
  )
}

const it = operatorTest({ OPERATOR_EMAIL: operator })
const manualTest = operatorTest({ OPERATOR_EMAIL: operator, AUTOMATIC_REFUNDS: 'off' })
const silentTest = operatorTest({ AUTOMATIC_REFUNDS: 'off' })

describe('OPERATOR_EMAIL', () => {
  it('gets one email about a refund that failed, and none about one that succeeded', async ({
    payments,
    actions,
    site,
    ann,
    refunds,
    operatorMails,
  }) => {
    const customer = await actions.payTwice(ann)
    await payments.settle()
    expect(await operatorMails()).toEqual([])
    const [row] = await refunds.rowsOf(customer)
    await payments.controls.failRefund(row?.refundId ?? '')
    await payments.settle()
    await site.context.refunds.sync(row?.refundId ?? '')
    await site.context.refunds.syncFailed()
    await refunds.sync(customer)
    const [mail, ...more] = await operatorMails()
    expect([mail?.subject, more]).toEqual([subject, []])
    expect(mail?.text).toContain(
      `Amount: $4.99\nPayment: ${row?.paymentIntentId}\nInvoice: ${row?.invoiceId}\nFailed refund: ${row?.refundId}\n`,
    )
    expect(mail?.text).toContain('Search for the payment in Stripe’s dashboard and refund it there.')
    expect(mail?.text).toContain('because you operate Tidings.')
    expect(mail?.text).not.toContain(ann.email)
    expect(mail?.text).not.toMatch(/sk_|whsec_/)
  })

  manualTest(
    'gets one email about a payment to refund by hand',
    async ({ payments, actions, site, ann, operatorMails }) => {
      const customer = await actions.payTwice(ann)
      await payments.settle()
      const { subscriptionSync } = site.context
      await Promise.all([subscriptionSync.sync(customer), subscriptionSync.sync(customer)])
      const [mail, ...more] = await operatorMails()
      expect([mail?.subject, more]).toEqual([subject, []])
      expect(mail?.text).toContain('because AUTOMATIC_REFUNDS is off')
    },
  )

  silentTest('is optional: the log and the metric remain', async ({ payments, db, site, ann, actions }) => {
    await actions.payTwice(ann)
    await payments.settle()
    await actions.waitForEmails()
    expect(await db.outboxEmail.count({ where: { kind: 'refund-needs-person' } })).toBe(0)
    expect(await site.context.metrics.registry.metrics()).toContain(
      'tidings_payment_refunds_total{status="manual",reason="paid-twice"} 1',
    )
  })
})
