import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refundTest } from '#test/payments/refund-actions.ts'

const operator = 'operator@example.com'
const subject = 'Tidings: refunds need you'

function operatorTest(settings: Record<string, string>) {
  // The machine's disk and backups are no part of these tests.
  const env = { OPERATOR_EMAIL_EXCEPT: 'disk-low,backup-old', ...settings }
  // A failed refund is logged as an error.
  return refundTest({ env, overrides: { logger: createCapturedLog().logger } }).extend(
    'operatorMails',
    { scope: 'file' },
    ({ actions, inbox, site }) =>
      async () => {
        await actions.waitForEmails()
        await site.context.alerts.check()
        return await inbox.mailsTo(operator)
      },
  )
}

const it = operatorTest({ OPERATOR_EMAIL: operator })
const manualTest = operatorTest({ OPERATOR_EMAIL: operator, AUTOMATIC_REFUNDS: 'off' })
const silentTest = operatorTest({ AUTOMATIC_REFUNDS: 'off' })

describe('OPERATOR_EMAIL', () => {
  it('gets one email about all refunds that failed, and none about one that succeeded', async ({
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
    expect(mail?.text).toContain('Failed: 1\nTo make by hand: 0\n')
    expect(mail?.text).toContain('Run “tidings payments report”')
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
      expect(mail?.text).toContain('Failed: 0\nTo make by hand: 1\n')
    },
  )

  silentTest('is optional: the log and the metric remain', async ({ payments, db, site, ann, actions }) => {
    await actions.payTwice(ann)
    await payments.settle()
    await actions.waitForEmails()
    await site.context.alerts.check()
    expect(await db.operatorAlert.count()).toBe(0)
    expect(await site.context.metrics.registry.metrics()).toContain(
      'tidings_payment_refunds_total{status="manual",reason="paid-twice"} 1',
    )
  })
})
