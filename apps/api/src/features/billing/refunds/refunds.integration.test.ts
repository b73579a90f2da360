import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { startInbox, type TestInbox } from '#test/inbox.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const twice = 'We refunded your second payment to Tidings'
const late = 'We refunded your payment to Tidings'
const notRefunded = 'Your Tidings refund is delayed'
const dayMs = 24 * 3_600_000

const log = createCapturedLog()
let inbox: TestInbox
let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
beforeAll(async () => {
  inbox = await startInbox()
  at = await startPaymentSite({ env: { SMTP_URL: inbox.smtpUrl }, overrides: { logger: log.logger } })
  actions = createPaymentActions(at)
})
afterAll(async () => {
  await at.close()
  await inbox.stop()
})
beforeEach(async () => {
  ann = await at.members.signUp()
})

async function disableWebhooks(site = at): Promise<void> {
  await site.controls.setWebhooks({ mode: 'off' })
  onTestFinished(async () => void (await site.controls.setWebhooks({ mode: 'on' })))
}

/** Returns the subjects of the emails about refunds, oldest first. */
async function refundSubjects(): Promise<string[]> {
  await actions.waitForEmails()
  const subjects = (await inbox.mailsTo(ann.email)).map(({ subject }) => subject).reverse()
  return subjects.filter((subject) => subject.includes('refund'))
}

/** Returns the refunded amount of each of a customer's payments, oldest first. */
async function refundedOf(customer: string, { stripe } = at): Promise<number[]> {
  const { data } = await stripe.charges.list({ customer, limit: 100 })
  return data
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount_refunded: refunded }) => refunded)
    .reverse()
}

async function rowsOf(customerId: string, { site } = at) {
  const rows = await site.context.refunds.report()
  return rows.filter((row) => row.customerId === customerId)
}

function logged(message: string, customerId: string) {
  return log.lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === message && line.customerId === customerId)
}

async function payTwice(member: TestMember, site = at): Promise<string> {
  const pages = [
    await site.openCheckout(member, testPrices.monthly),
    await site.openSecondCheckout(member, testPrices.monthly),
  ]
  await site.settle()
  for (const page of pages) {
    await site.controls.completeCheckout(page)
    site.site.clock.pass(1_000)
  }
  return await createPaymentActions(site).customerOf(member)
}

/** Subscribes, lets the renewal fail until Stripe cancels, and returns the open invoice. */
async function lapse(): Promise<{ customer: string; invoice: string }> {
  await at.subscribe(ann, testPrices.monthly)
  const customer = await actions.customerOf(ann)
  await actions.changeCard(ann, testCards.failsLater)
  await at.settle()
  await disableWebhooks()
  await actions.pass(50)
  const { status, latest_invoice: invoice } = await actions.subscriptionOf(ann)
  expect(status).toBe('canceled')
  return { customer, invoice: String(invoice) }
}

async function pay(customer: string, invoice: string): Promise<void> {
  const card = await at.stripe.paymentMethods.attach(testCards.good, { customer })
  await at.stripe.invoices.pay(invoice, { payment_method: card.id })
}

async function sync(customer: string): Promise<void> {
  const { subscriptionSync } = at.site.context
  await Promise.all([subscriptionSync.sync(customer), subscriptionSync.sync(customer)])
  await subscriptionSync.sync(customer)
}

describe('the refund of a second payment for a plan', () => {
  it('is made once with its reason, logged, counted and reported', async () => {
    const customer = await payTwice(ann)
    await at.settle()
    await sync(customer)
    expect(await refundedOf(customer)).toEqual([0, 499])
    const [row] = await rowsOf(customer)
    const { data } = await at.stripe.refunds.list({ payment_intent: row?.paymentIntentId ?? '' })
    expect(data).toMatchObject([{ id: row?.refundId, reason: 'duplicate' }])
    expect(data[0]?.metadata).toEqual({
      ...{ why: 'paid-twice', app: at.site.context.config.site.appId },
      ...{ member: ann.memberId, invoice: row?.invoiceId },
    })
    const fields = { amount: 499, currency: 'usd', reason: 'paid-twice', refundId: row?.refundId }
    expect(row).toMatchObject({ ...fields, status: 'refunded' })
    expect(logged('payment refunded', customer)).toMatchObject([fields])
    expect(await at.site.context.metrics.registry.metrics()).toContain(
      'tidings_payment_refunds_total{status="refunded",reason="paid-twice"}',
    )
    expect(await refundSubjects()).toEqual([twice])
  })

  it('is made and emailed once after a crash before it was stored', async () => {
    await disableWebhooks()
    const customer = await payTwice(ann)
    await at.controls.addFault({ kind: 'reset-after', match: 'POST /v1/refunds', times: 3 })
    await expect(at.site.context.subscriptionSync.sync(customer)).rejects.toThrow()
    expect(await refundedOf(customer)).toEqual([0, 499])
    expect(await rowsOf(customer)).toEqual([])
    // The idempotency key has expired at Stripe by then.
    at.site.clock.pass(2 * dayMs)
    await sync(customer)
    expect(await refundedOf(customer)).toEqual([0, 499])
    expect(await rowsOf(customer)).toMatchObject([{ status: 'refunded', amount: 499 }])
    expect(await refundSubjects()).toEqual([twice])
  })

  it('notifies the merchant and the member once when it fails', async () => {
    const customer = await payTwice(ann)
    await at.settle()
    const [row] = await rowsOf(customer)
    await at.controls.failRefund(row?.refundId ?? '')
    await at.settle()
    await at.site.context.refunds.sync(row?.refundId ?? '')
    await sync(customer)
    expect(await rowsOf(customer)).toMatchObject([{ status: 'failed', refundId: row?.refundId }])
    expect(logged('refund failed', customer)).toHaveLength(1)
    expect(await refundedOf(customer)).toEqual([0, 0])
    expect(await refundSubjects()).toEqual([twice, notRefunded])

    const repeated = await at.stripe.refunds.create({ payment_intent: row?.paymentIntentId ?? '' })
    await at.settle()
    expect(await rowsOf(customer)).toMatchObject([{ status: 'refunded', refundId: repeated.id }])
    expect(await refundSubjects()).toEqual([twice, notRefunded, twice])
  })

  it('is not made for a disputed payment', async () => {
    await disableWebhooks()
    const customer = await payTwice(ann)
    await at.controls.openDispute(await actions.chargeOf(ann))
    await sync(customer)
    expect(await refundedOf(customer)).toEqual([0, 0])
    expect(await rowsOf(customer)).toEqual([])
    expect((await actions.subscriptionsOf(ann)).map(({ status }) => status)).toEqual(['canceled', 'active'])
  })
})

it('finds failed refunds without a webhook, including those made in the dashboard', async () => {
  const customer = await payTwice(ann)
  await at.settle()
  const [row] = await rowsOf(customer)
  const { data: charges } = await at.stripe.charges.list({ customer })
  const byHand = await at.stripe.refunds.create({ charge: charges.at(-1)?.id ?? '' })
  await at.settle()
  await disableWebhooks()
  await at.controls.failRefund(row?.refundId ?? '')
  await at.controls.failRefund(byHand.id)
  await at.site.context.reconciliation.reconcile()
  await at.site.context.reconciliation.reconcile()
  const failed = (await rowsOf(customer)).map(({ status, reason }) => `${status} ${reason}`).toSorted()
  expect(failed).toEqual(['failed by-merchant', 'failed paid-twice'])
  expect(await refundSubjects()).toEqual([twice, notRefunded, notRefunded])
})

describe('a subscription that Stripe canceled for nonpayment', () => {
  it.each(['open', 'uncollectible'])('has its %s invoice voided', async (status) => {
    const { customer, invoice } = await lapse()
    if (status === 'uncollectible') await at.stripe.invoices.markUncollectible(invoice)
    await sync(customer)
    expect((await at.stripe.invoices.retrieve(invoice)).status).toBe('void')
    // Invoices are listed only once.
    await at.controls.addFault({ kind: 'forbidden', match: 'GET /v1/invoices' })
    onTestFinished(() => at.controls.clearFaults())
    await sync(customer)
    expect(await rowsOf(customer)).toEqual([])
  })

  it('has a late payment refunded once, with an email', async () => {
    const { customer, invoice } = await lapse()
    await pay(customer, invoice)
    await sync(customer)
    expect(await refundedOf(customer)).toEqual([0, 499])
    expect(await rowsOf(customer)).toMatchObject([
      { status: 'refunded', reason: 'paid-after-end', invoiceId: invoice },
    ])
    expect(await refundSubjects()).toEqual([late])
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it('has a processing payment refunded when it succeeds, without a webhook', async () => {
    const { customer, invoice } = await lapse()
    await at.controls.debitInvoice(invoice, 'processing')
    await sync(customer)
    expect((await at.stripe.invoices.retrieve(invoice)).status).toBe('open')
    await at.controls.debitInvoice(invoice, 'succeeded')
    await at.site.context.reconciliation.reconcile()
    await sync(customer)
    expect(await refundedOf(customer)).toEqual([0, 499])
    expect(await refundSubjects()).toEqual([late])
  })

  it('has a payment refunded that was processing while the account was deleted', async () => {
    const { customer, invoice } = await lapse()
    await at.controls.debitInvoice(invoice, 'processing')
    ann = { ...ann, headers: at.members.headersOf(await at.members.logIn(ann)) }
    expect((await at.members.call('DELETE', '/member', { headers: ann.headers })).statusCode).toBe(200)
    at.site.clock.pass(3 * dayMs)
    await at.controls.debitInvoice(invoice, 'succeeded')
    await sync(customer)
    expect(await refundedOf(customer)).toEqual([0, 499])
    expect(await rowsOf(customer)).toMatchObject([{ status: 'refunded', reason: 'paid-after-end' }])
  })
})

it('a bank debit activates the plan while it is processing, and keeps it when it succeeds', async () => {
  await at.openCheckout(ann, testPrices.monthly)
  const customer = await actions.customerOf(ann)
  const price = await at.site.context.database.db.stripePrice.findFirstOrThrow({
    where: { priceId: testPrices.monthly },
  })
  await actions.changeCard(ann, testCards.good)
  const { latest_invoice: invoice } = await at.stripe.subscriptions.create({
    ...{ customer, items: [{ price: price.id }], payment_behavior: 'default_incomplete' },
  })
  for (const status of ['processing', 'succeeded'] as const) {
    await at.controls.debitInvoice(String(invoice), status)
    await at.settle()
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  }
  expect(await refundedOf(customer)).toEqual([0])
})

describe('AUTOMATIC_REFUNDS=off', () => {
  it('leaves a second payment for the merchant to refund', async () => {
    const off = await startPaymentSite({
      env: { SMTP_URL: inbox.smtpUrl, AUTOMATIC_REFUNDS: 'off' },
      overrides: { logger: log.logger },
    })
    onTestFinished(() => off.close())
    actions = createPaymentActions(off)
    onTestFinished(() => {
      actions = createPaymentActions(at)
    })
    ann = await off.members.signUp({ email: 'off@example.com' })
    const customer = await payTwice(ann, off)
    await off.settle()
    const { subscriptionSync } = off.site.context
    await Promise.all([subscriptionSync.sync(customer), subscriptionSync.sync(customer)])
    expect(await refundedOf(customer, off)).toEqual([0, 0])
    const [row] = await rowsOf(customer, off)
    const fields = { amount: 499, currency: 'usd', reason: 'paid-twice', refundId: null }
    expect(row).toMatchObject({ ...fields, status: 'manual' })
    expect(logged('payment needs a manual refund', customer)).toMatchObject([fields])
    expect(await off.site.context.metrics.registry.metrics()).toContain(
      'tidings_payment_refunds_total{status="manual",reason="paid-twice"} 1',
    )
    expect(await refundSubjects()).toEqual([notRefunded])

    const refund = await off.stripe.refunds.create({ payment_intent: row?.paymentIntentId ?? '' })
    await off.settle()
    expect(await rowsOf(customer, off)).toMatchObject([{ status: 'refunded', refundId: refund.id }])
    expect(await refundSubjects()).toEqual([notRefunded, twice])
  })
})
