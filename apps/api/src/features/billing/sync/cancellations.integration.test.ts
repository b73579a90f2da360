import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { refundTest } from '#test/payments/refund-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'

const twice = 'We refunded your second payment to Tidings'
const monthlyPlan = 'pln_monthly-4f8t2c6hz9'
const log = createCapturedLog()
let loggedBefore: number

const it = refundTest({ overrides: { logger: log.logger } })
  .extend('subscriptionStatesOf', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    return (await actions.subscriptionsOf(member)).map(({ status }) => status).reverse()
  })
  .extend('countWelcomes', ({ ann, emailsTo }) => async () => {
    return (await emailsTo(ann)).filter(({ subject }) => subject.includes('Welcome')).length
  })
  /** The unpaid renewal of a subscription beside an active subscription. */
  .extend('unpaid', async ({ payments, actions, site, stripe, ann }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    await actions.changeCard(ann, testCards.failsLater)
    await actions.pass(31)
    const older = await actions.subscriptionOf(ann)
    expect(older.status).toBe('past_due')
    await actions.disableWebhooks()
    const { id: card } = await stripe.paymentMethods.attach(testCards.good, { customer })
    const price = older.items.data[0]?.price.id ?? ''
    const paying = { customer, default_payment_method: card, items: [{ price }] }
    const newer = await stripe.subscriptions.create(paying)
    return {
      customer,
      olderId: older.id,
      /** Returns the statuses of the older and the newer subscription. */
      async statuses() {
        const now = await Promise.all([older, newer].map(({ id }) => stripe.subscriptions.retrieve(id)))
        return now.map(({ status }) => status)
      },
      async payOpenInvoice() {
        const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(older.id)
        const { id } = await stripe.paymentMethods.attach(testCards.good, { customer })
        await stripe.invoices.pay(String(invoice), { payment_method: id })
      },
      /** Starts another process of the site and returns its subscription sync. */
      async startOtherSync() {
        const { databaseUrl, env } = payments
        const other = await useTestApp({ databaseUrl, env, overrides: { clock: site.clock } })
        return other.context.subscriptionSync
      },
    }
  })

it.beforeEach(() => {
  loggedBefore = log.lines.length
})
it.afterEach(async ({ payments, actions }) => {
  await payments.controls.clearFaults()
  await actions.cancelAll()
})

/** Returns the messages of this test's errors, without those about other customers. */
function loggedErrors(customer: string): string[] {
  return log.lines
    .slice(loggedBefore)
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level >= 50 && msg !== 'stripe secret key refused')
    .filter(({ customerId = customer }) => customerId === customer)
    .map(({ msg }) => msg)
}

describe('a refund that Stripe refuses', () => {
  it('neither closes the plan nor keeps the duplicate subscription', async ({
    payments,
    actions,
    ann,
    refunds,
    subscriptionStatesOf,
  }) => {
    await payments.controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds', times: 1_000 })
    const customer = await actions.payTwice(ann)
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ planId: monthlyPlan, active: true }])
    expect(await subscriptionStatesOf(ann)).toEqual(['active', 'canceled'])
    expect(await actions.refundedOf(customer)).toEqual([0, 0])
    expect(await refunds.subjectsTo(ann)).not.toContain(twice)
    expect(loggedErrors(customer)).toEqual(['refund failed'])
  })

  it('does not keep the subscription of a deleted member', async ({
    payments,
    actions,
    site,
    stripe,
    ann,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const { id, customer } = await actions.subscriptionOf(ann)
    await site.context.database.db.member.delete({ where: { id: ann.memberId } })
    await payments.controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds', times: 1_000 })
    await site.context.reconciliation.reconcile()
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    expect(loggedErrors(String(customer))).toHaveLength(1)
  })
})

it('sends no refund email for two free checkouts', async ({
  payments,
  actions,
  stripe,
  ann,
  refunds,
  countWelcomes,
  subscriptionStatesOf,
}) => {
  const { id: couponId } = await stripe.coupons.create({
    percent_off: 100,
    duration: 'forever',
    metadata: { public: 'true' },
  })
  await actions.payTwice(ann, { couponId })
  await payments.settle()
  expect(await subscriptionStatesOf(ann)).toEqual(['active', 'canceled'])
  expect(await countWelcomes()).toBe(1)
  expect(await refunds.subjectsTo(ann)).toEqual([])
})

it('a subscription replaces a free connection to the same plan', async ({
  payments,
  actions,
  db,
  site,
  ann,
  countWelcomes,
}) => {
  const free = { planId: monthlyPlan, type: 'free' as const, createdAt: site.clock.now() }
  await db.planConnection.create({ data: { ...free, id: 'con_free', memberId: ann.memberId } })
  await payments.subscribe(ann, testPrices.monthly)
  const held = (await payments.memberOf(ann)).planConnections.filter(({ planId }) => planId === monthlyPlan)
  expect(held).toMatchObject([{ type: 'SUBSCRIPTION', active: true, payment: { amount: 4.99 } }])
  expect(await countWelcomes()).toBe(1)

  await actions.cancelAtStripe(ann)
  await payments.settle()
  expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
})

describe('an unpaid renewal while another subscription is active', () => {
  it('is canceled with its invoice voided', async ({ site, stripe, ann, refunds, unpaid }) => {
    await site.context.subscriptionSync.sync(unpaid.customer)
    expect(await unpaid.statuses()).toEqual(['canceled', 'active'])
    const { data: open } = await stripe.invoices.list({ customer: unpaid.customer, status: 'open' })
    expect(open).toEqual([])
    expect(await refunds.subjectsTo(ann)).toEqual([])
  })

  it('keeps its subscription when it is paid during a sync with a late response', async ({
    payments,
    actions,
    site,
    unpaid,
  }) => {
    const there = await unpaid.startOtherSync()
    const held = await actions.hold({
      kind: 'late',
      match: 'GET /v1/subscriptions',
      about: unpaid.customer,
    })
    const late = site.context.subscriptionSync.sync(unpaid.customer)
    await held.arrived()
    await unpaid.payOpenInvoice()
    const waiting = there.sync(unpaid.customer)
    await held.release()
    await Promise.all([late, waiting])
    await payments.settle()
    expect(await unpaid.statuses()).toEqual(['active', 'canceled'])
    expect(await actions.refundedOf(unpaid.customer)).toEqual([0, 499, 0])
  })

  it('is canceled and refunded when it is paid during the cancellation', async ({
    payments,
    actions,
    site,
    ann,
    refunds,
    unpaid,
  }) => {
    const there = await unpaid.startOtherSync()
    const held = await actions.hold({ match: `DELETE /v1/subscriptions/${unpaid.olderId}` })
    const canceling = site.context.subscriptionSync.sync(unpaid.customer)
    await held.arrived()
    await unpaid.payOpenInvoice()
    const waiting = there.sync(unpaid.customer)
    await held.release()
    await Promise.all([canceling, waiting])
    await payments.settle()
    expect(await unpaid.statuses()).toEqual(['canceled', 'active'])
    expect((await actions.refundedOf(unpaid.customer)).filter((amount) => amount > 0)).toHaveLength(1)
    expect(await refunds.subjectsTo(ann)).toEqual([twice])
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })
})
