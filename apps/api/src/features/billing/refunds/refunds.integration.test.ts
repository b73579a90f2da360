import { describe, expect, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { refundTest } from '#test/payments/refund-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const twice = 'We refunded your second payment to Tidings'
const late = 'We refunded your payment to Tidings'
const notRefunded = 'Your Tidings refund is delayed'
const dayMs = 24 * 3_600_000

const log = createCapturedLog()

const it = refundTest({ overrides: { logger: log.logger } })
const manualTest = refundTest({ env: { AUTOMATIC_REFUNDS: 'off' }, overrides: { logger: log.logger } })

function logged(message: string, customerId: string) {
  return log.lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === message && line.customerId === customerId)
}

describe('the refund of a second payment for a plan', () => {
  it('is made once with its reason, logged, counted and reported', async ({
    payments,
    actions,
    site,
    stripe,
    ann,
    refunds,
  }) => {
    const customer = await actions.payTwice(ann)
    await payments.settle()
    await refunds.sync(customer)
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    const [row] = await refunds.rowsOf(customer)
    const { data } = await stripe.refunds.list({ payment_intent: row?.paymentIntentId ?? '' })
    expect(data).toMatchObject([{ id: row?.refundId, reason: 'duplicate' }])
    expect(data[0]?.metadata).toEqual({
      why: 'paid-twice',
      app: site.context.config.site.appId,
      member: ann.memberId,
      invoice: row?.invoiceId,
    })
    const fields = { amount: 499, currency: 'usd', reason: 'paid-twice', refundId: row?.refundId }
    expect(row).toMatchObject({ ...fields, status: 'refunded' })
    expect(logged('payment refunded', customer)).toMatchObject([fields])
    expect(await site.context.metrics.registry.metrics()).toContain(
      'tidings_payment_refunds_total{status="refunded",reason="paid-twice"}',
    )
    expect(await refunds.subjectsTo(ann)).toEqual([twice])
  })

  it('is made and emailed once after a crash before it was stored', async ({
    payments,
    actions,
    site,
    ann,
    refunds,
  }) => {
    await actions.disableWebhooks()
    const customer = await actions.payTwice(ann)
    await payments.controls.addFault({ kind: 'reset-after', match: 'POST /v1/refunds', times: 3 })
    await expect(site.context.subscriptionSync.sync(customer)).rejects.toThrow()
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    expect(await refunds.rowsOf(customer)).toEqual([])
    // The idempotency key has expired at Stripe by then.
    site.clock.pass(2 * dayMs)
    await refunds.sync(customer)
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    expect(await refunds.rowsOf(customer)).toMatchObject([{ status: 'refunded', amount: 499 }])
    expect(await refunds.subjectsTo(ann)).toEqual([twice])
  })

  it('notifies the merchant and the member once when it fails', async ({
    payments,
    actions,
    site,
    stripe,
    ann,
    refunds,
  }) => {
    const customer = await actions.payTwice(ann)
    await payments.settle()
    const [row] = await refunds.rowsOf(customer)
    await payments.controls.failRefund(row?.refundId ?? '')
    await payments.settle()
    await site.context.refunds.sync(row?.refundId ?? '')
    await refunds.sync(customer)
    expect(await refunds.rowsOf(customer)).toMatchObject([{ status: 'failed', refundId: row?.refundId }])
    expect(logged('refund failed', customer)).toHaveLength(1)
    expect(await actions.refundedOf(customer)).toEqual([0, 0])
    expect(await refunds.subjectsTo(ann)).toEqual([twice, notRefunded])

    const repeated = await stripe.refunds.create({ payment_intent: row?.paymentIntentId ?? '' })
    await payments.settle()
    expect(await refunds.rowsOf(customer)).toMatchObject([{ status: 'refunded', refundId: repeated.id }])
    expect(await refunds.subjectsTo(ann)).toEqual([twice, notRefunded, twice])
  })

  it('is not made for a disputed payment', async ({ payments, actions, ann, refunds }) => {
    await actions.disableWebhooks()
    const customer = await actions.payTwice(ann)
    await payments.controls.openDispute(await actions.chargeOf(ann))
    await refunds.sync(customer)
    expect(await actions.refundedOf(customer)).toEqual([0, 0])
    expect(await refunds.rowsOf(customer)).toEqual([])
    expect((await actions.subscriptionsOf(ann)).map(({ status }) => status)).toEqual(['canceled', 'active'])
  })
})

it('finds failed refunds without a webhook, including those made in the dashboard', async ({
  payments,
  actions,
  site,
  stripe,
  ann,
  refunds,
}) => {
  const customer = await actions.payTwice(ann)
  await payments.settle()
  const [row] = await refunds.rowsOf(customer)
  const { data: charges } = await stripe.charges.list({ customer })
  const byHand = await stripe.refunds.create({ charge: charges.at(-1)?.id ?? '' })
  await payments.settle()
  await actions.disableWebhooks()
  await payments.controls.failRefund(row?.refundId ?? '')
  await payments.controls.failRefund(byHand.id)
  await site.context.reconciliation.reconcile()
  await site.context.reconciliation.reconcile()
  const failed = (await refunds.rowsOf(customer))
    .map(({ status, reason }) => `${status} ${reason}`)
    .toSorted()
  expect(failed).toEqual(['failed by-merchant', 'failed paid-twice'])
  expect(await refunds.subjectsTo(ann)).toEqual([twice, notRefunded, notRefunded])
})

describe('a subscription that Stripe canceled for nonpayment', () => {
  it.for(['open', 'uncollectible'])(
    'has its %s invoice voided',
    async (status, { payments, site, stripe, ann, refunds }) => {
      const { customer, invoice } = await refunds.lapse(ann)
      if (status === 'uncollectible') await stripe.invoices.markUncollectible(invoice)
      await refunds.sync(customer)
      expect((await stripe.invoices.retrieve(invoice)).status).toBe('void')
      // Invoices are listed for 30 days.
      site.clock.pass(31 * dayMs)
      await payments.controls.addFault({ kind: 'forbidden', match: 'GET /v1/invoices' })
      onTestFinished(() => payments.controls.clearFaults())
      await refunds.sync(customer)
      expect(await refunds.rowsOf(customer)).toEqual([])
    },
  )

  it('has a late payment refunded once, with an email', async ({ actions, ann, refunds }) => {
    const { customer, invoice } = await refunds.lapse(ann)
    await refunds.pay(customer, invoice)
    await refunds.sync(customer)
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    expect(await refunds.rowsOf(customer)).toMatchObject([
      { status: 'refunded', reason: 'paid-after-end', invoiceId: invoice },
    ])
    expect(await refunds.subjectsTo(ann)).toEqual([late])
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it('has a processing payment refunded when it succeeds, without a webhook', async ({
    payments,
    actions,
    site,
    stripe,
    ann,
    refunds,
  }) => {
    const { customer, invoice } = await refunds.lapse(ann)
    await payments.controls.debitInvoice(invoice, 'processing')
    await refunds.sync(customer)
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('open')
    await payments.controls.debitInvoice(invoice, 'succeeded')
    await site.context.reconciliation.reconcile()
    await refunds.sync(customer)
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    expect(await refunds.subjectsTo(ann)).toEqual([late])
  })

  it('has a payment refunded that was processing while the account was deleted', async ({
    payments,
    actions,
    site,
    members,
    ann,
    refunds,
  }) => {
    const { customer, invoice } = await refunds.lapse(ann)
    await payments.controls.debitInvoice(invoice, 'processing')
    const headers = members.headersOf(await members.logIn({ email: ann.email }))
    expect((await members.call('DELETE', '/member', { headers })).statusCode).toBe(200)
    site.clock.pass(3 * dayMs)
    await payments.controls.debitInvoice(invoice, 'succeeded')
    await refunds.sync(customer)
    expect(await actions.refundedOf(customer)).toEqual([0, 499])
    // By the sync or by the deletion's job, whichever comes first.
    const reason = expect.stringMatching(/^(paid-after-end|account-deleted)$/)
    expect(await refunds.rowsOf(customer)).toMatchObject([{ status: 'refunded', reason }])
  })
})

it('a bank debit activates the plan while it is processing, and keeps it when it succeeds', async ({
  payments,
  actions,
  site,
  stripe,
  ann,
}) => {
  await payments.openCheckout(ann, testPrices.monthly)
  const customer = await actions.customerOf(ann)
  const price = await site.context.database.db.stripePrice.findFirstOrThrow({
    where: { priceId: testPrices.monthly },
  })
  await actions.changeCard(ann, testCards.good)
  const { latest_invoice: invoice } = await stripe.subscriptions.create({
    customer,
    items: [{ price: price.id }],
    payment_behavior: 'default_incomplete',
  })
  for (const status of ['processing', 'succeeded'] as const) {
    await payments.controls.debitInvoice(String(invoice), status)
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  }
  expect(await actions.refundedOf(customer)).toEqual([0])
})

describe('AUTOMATIC_REFUNDS=off', () => {
  manualTest(
    'leaves a second payment for the merchant to refund',
    async ({ payments, actions, site, stripe, ann, refunds }) => {
      const customer = await actions.payTwice(ann)
      await payments.settle()
      const { subscriptionSync } = site.context
      await Promise.all([subscriptionSync.sync(customer), subscriptionSync.sync(customer)])
      expect(await actions.refundedOf(customer)).toEqual([0, 0])
      const [row] = await refunds.rowsOf(customer)
      const fields = { amount: 499, currency: 'usd', reason: 'paid-twice', refundId: null }
      expect(row).toMatchObject({ ...fields, status: 'manual' })
      expect(logged('payment needs a manual refund', customer)).toMatchObject([fields])
      expect(await site.context.metrics.registry.metrics()).toContain(
        'tidings_payment_refunds_total{status="manual",reason="paid-twice"} 1',
      )
      expect(await refunds.subjectsTo(ann)).toEqual([notRefunded])

      const refund = await stripe.refunds.create({ payment_intent: row?.paymentIntentId ?? '' })
      await payments.settle()
      expect(await refunds.rowsOf(customer)).toMatchObject([{ status: 'refunded', refundId: refund.id }])
      expect(await refunds.subjectsTo(ann)).toEqual([notRefunded, twice])
    },
  )
})
