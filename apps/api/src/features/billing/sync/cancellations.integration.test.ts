import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { startInbox, type TestInbox } from '#test/inbox.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'

const monthlyPlan = 'pln_monthly-4f8t2c6hz9'

let inbox: TestInbox
let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
const log = createCapturedLog()
let loggedBefore: number
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
  loggedBefore = log.lines.length
  ann = await at.members.signUp()
})
afterEach(async () => {
  await at.controls.clearFaults()
  await actions.cancelAll()
})

/** Returns the messages of this test's errors. */
function loggedErrors(): string[] {
  return log.lines
    .slice(loggedBefore)
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level >= 50 && msg !== 'Stripe refused the secret key')
    .map(({ msg }) => msg)
}

async function countEmails(words: string): Promise<number> {
  await actions.waitForEmails()
  return (await inbox.mailsTo(ann.email)).filter(({ subject }) => subject.includes(words)).length
}

async function payTwice(body: { couponId?: string } = {}): Promise<void> {
  const pages = [
    await at.openCheckout(ann, testPrices.monthly, body),
    await at.openSecondCheckout(ann, testPrices.monthly, body),
  ]
  for (const page of pages) {
    await at.controls.completeCheckout(page)
    at.site.clock.pass(1_000)
  }
}

/** Returns the statuses of the subscriptions and whether each payment was refunded, oldest first. */
async function stripeState() {
  const customer = await actions.customerOf(ann)
  const { data: charges } = await at.stripe.charges.list({ customer })
  const states = (await actions.subscriptionsOf(ann)).map(({ status }) => status).reverse()
  const paid = charges.filter(({ status }) => status === 'succeeded')
  return { states, refunded: paid.map(({ refunded }) => refunded).reverse() }
}

describe('a refund that Stripe refuses', () => {
  it('neither closes the plan nor keeps the duplicate subscription', async () => {
    await at.controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds', times: 1_000 })
    await payTwice()
    await at.settle()
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ planId: monthlyPlan, active: true }])
    expect(await stripeState()).toEqual({ states: ['active', 'canceled'], refunded: [false, false] })
    expect(await countEmails('second payment')).toBe(0)
    expect(loggedErrors()).toEqual(['refund failed'])
  })

  it('does not keep the subscription of a deleted member', async () => {
    await at.subscribe(ann, testPrices.monthly)
    const { id } = await actions.subscriptionOf(ann)
    await at.site.context.database.db.member.delete({ where: { id: ann.memberId } })
    await at.controls.addFault({ kind: 'forbidden', match: 'POST /v1/refunds', times: 1_000 })
    await at.site.context.reconciliation.reconcile()
    expect((await at.stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    expect(loggedErrors()).toHaveLength(1)
  })
})

it('sends no refund email for two free checkouts', async () => {
  const { id: couponId } = await at.stripe.coupons.create({
    ...{ percent_off: 100, duration: 'forever', metadata: { public: 'true' } },
  })
  await payTwice({ couponId })
  await at.settle()
  expect((await stripeState()).states).toEqual(['active', 'canceled'])
  expect(await countEmails('Welcome')).toBe(1)
  expect(await countEmails('second payment')).toBe(0)
})

it('a subscription replaces a free connection to the same plan', async () => {
  const { db } = at.site.context.database
  const free = { planId: monthlyPlan, type: 'free' as const, createdAt: at.site.clock.now() }
  await db.planConnection.create({ data: { ...free, id: 'con_free', memberId: ann.memberId } })
  await at.subscribe(ann, testPrices.monthly)
  const held = (await at.memberOf(ann)).planConnections.filter(({ planId }) => planId === monthlyPlan)
  expect(held).toMatchObject([{ type: 'SUBSCRIPTION', active: true, payment: { amount: 4.99 } }])
  expect(await countEmails('Welcome')).toBe(1)

  await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
  await at.settle()
  expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
})

describe('an unpaid renewal while another subscription is active', () => {
  let customer: string
  let older: string
  let newer: string
  beforeEach(async () => {
    await at.subscribe(ann, testPrices.monthly)
    customer = await actions.customerOf(ann)
    await actions.changeCard(ann, testCards.failsLater)
    await actions.pass(31)
    const owed = await actions.subscriptionOf(ann)
    expect(owed.status).toBe('past_due')
    await at.controls.setWebhooks({ mode: 'off' })
    const { id: card } = await at.stripe.paymentMethods.attach(testCards.good, { customer })
    const price = owed.items.data[0]?.price.id ?? ''
    const paying = { customer, default_payment_method: card, items: [{ price }] }
    older = owed.id
    newer = (await at.stripe.subscriptions.create(paying)).id
  })

  async function payOpenInvoice(): Promise<void> {
    const { latest_invoice: invoice } = await at.stripe.subscriptions.retrieve(older)
    const card = await at.stripe.paymentMethods.attach(testCards.good, { customer })
    await at.stripe.invoices.pay(String(invoice), { payment_method: card.id })
  }

  async function stateOf(id: string): Promise<string> {
    return (await at.stripe.subscriptions.retrieve(id)).status
  }

  async function otherProcess() {
    const { databaseUrl, env } = at
    const other = await useTestApp({ databaseUrl, env, overrides: { clock: at.site.clock } })
    return other.context.subscriptionSync
  }

  it('is canceled with its invoice voided', async () => {
    await at.site.context.subscriptionSync.sync(customer)
    expect([await stateOf(older), await stateOf(newer)]).toEqual(['canceled', 'active'])
    const { data: open } = await at.stripe.invoices.list({ customer, status: 'open' })
    expect(open).toEqual([])
    expect(await countEmails('second payment')).toBe(0)
  })

  it('keeps its subscription when it is paid during a sync with a late response', async () => {
    const there = await otherProcess()
    const held = await actions.hold({ kind: 'late', match: 'GET /v1/subscriptions', about: customer })
    const late = at.site.context.subscriptionSync.sync(customer)
    await held.arrived()
    await payOpenInvoice()
    await there.sync(customer)
    await held.release()
    await late
    await at.settle()
    expect([await stateOf(older), await stateOf(newer)]).toEqual(['active', 'canceled'])
    expect((await stripeState()).refunded).toEqual([false, true, false])
  })

  it('is canceled and refunded when it is paid during the cancellation', async () => {
    const there = await otherProcess()
    const held = await actions.hold({ match: `DELETE /v1/subscriptions/${older}` })
    const canceling = at.site.context.subscriptionSync.sync(customer)
    await held.arrived()
    await payOpenInvoice()
    await there.sync(customer)
    await held.release()
    await canceling
    await at.settle()
    expect([await stateOf(older), await stateOf(newer)]).toEqual(['canceled', 'active'])
    const { data: charges } = await at.stripe.charges.list({ customer })
    expect(charges.filter(({ refunded }) => refunded)).toHaveLength(1)
    expect(await countEmails('second payment')).toBe(1)
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })

  it('is canceled once the lease of a killed process expires', async () => {
    const { database, subscriptionSync } = at.site.context
    const cancellationLockedUntil = new Date(at.site.clock.now().getTime() + 5 * 60_000)
    await database.db.paymentCustomer.update({ where: { id: customer }, data: { cancellationLockedUntil } })
    expect(await subscriptionSync.sync(customer)).toEqual([])
    expect([await stateOf(older), await stateOf(newer)]).toEqual(['past_due', 'active'])

    at.site.clock.pass(5 * 60_000)
    await subscriptionSync.sync(customer)
    await at.settle()
    expect([await stateOf(older), await stateOf(newer)]).toEqual(['canceled', 'active'])
  })
})
