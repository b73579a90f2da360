import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { paymentTest } from '#test/fixtures.ts'
import { createAlmanac, sellInDashboard } from '#test/payments/almanac.ts'
import { createDeletionActions } from '#test/payments/deletion-actions.ts'
import { testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const minuteMs = 60_000
const dayMs = 24 * 3_600_000
const money = { amount: 499, currency: 'usd' }

const log = createCapturedLog()

function deletionTest(env: Record<string, string> = {}) {
  // A failed refund is logged as an error.
  return paymentTest({ env, overrides: { logger: log.logger } })
    .extend('accounts', { scope: 'file' }, createDeletionActions)
    .extend('sweep', { scope: 'file' }, ({ site }) => site.context.accountDeletion.sweep)
}

const it = deletionTest()
const keepTest = deletionTest({ CUSTOMER_ON_DELETION: 'keep' })
const manualTest = deletionTest({ AUTOMATIC_REFUNDS: 'off', CUSTOMER_ON_DELETION: 'keep' })

describe('the customer of a deleted account', () => {
  it('stays while the merchant sells something else to them, which is not canceled', async ({
    accounts,
    stripe,
    payments,
    sweep,
  }) => {
    const ann = await accounts.subscribe()
    const almanac = await createAlmanac(stripe)
    const sold = await sellInDashboard(stripe, ann.customer, almanac.id)
    payments.site.clock.pass(2 * minuteMs)
    await accounts.delete(ann)
    await accounts.waitUntilClosed(ann)
    expect((await stripe.subscriptions.retrieve(sold.id)).status).toBe('active')
    expect(await accounts.customerAtStripe(ann.customer)).toMatchObject({ email: ann.email })
    expect(await accounts.emailsTo(ann)).toMatchObject([{ data: { customer: 'deleted-later' } }])
    expect(await accounts.deletionOf(ann)).toMatchObject({ email: null, planName: null })

    await stripe.subscriptions.cancel(sold.id)
    payments.site.clock.pass(61 * minuteMs)
    await sweep()
    expect(await accounts.customerAtStripe(ann.customer)).toMatchObject({ deleted: true })
    expect(await accounts.deletionOf(ann)).toBeNull()
    expect(await accounts.emailsTo(ann)).toHaveLength(1)
  })

  it('stays while a refund has failed, until the merchant has repeated it', async ({
    accounts,
    payments,
    stripe,
    site,
    sweep,
    db,
  }) => {
    const bea = await accounts.subscribe()
    const match = `DELETE /v1/customers/${bea.customer}`
    await payments.controls.addFault({ kind: 'server-error', match, times: 1_000 })
    await accounts.delete(bea)
    await expect.poll(() => accounts.chargesOf(bea.customer), waitOptions).toEqual([[499, true]])
    await payments.settle()
    const where = { customerId: bea.customer }
    const { refundId, paymentIntentId } = await db.paymentRefund.findFirstOrThrow({ where })
    await payments.controls.failRefund(refundId ?? '')
    await payments.settle()
    await payments.controls.clearFaults()
    await site.context.accountDeletion.close(bea.memberId)
    expect(await accounts.emailsTo(bea)).toMatchObject([
      { data: { refunds: [{ ...money, status: 'failed' }], customer: 'deleted-later' } },
    ])
    expect(await accounts.customerAtStripe(bea.customer)).toMatchObject({ email: bea.email })

    await stripe.refunds.create({ payment_intent: paymentIntentId })
    await payments.settle()
    site.clock.pass(61 * minuteMs)
    await sweep()
    expect(await accounts.customerAtStripe(bea.customer)).toMatchObject({ deleted: true })
  })

  it('and the address wait for a payment that is processing, which is then refunded', async ({
    accounts,
    actions,
    payments,
    site,
    members,
    sweep,
  }) => {
    const cam = await accounts.subscribe()
    await actions.changeCard(cam, testCards.failsLater)
    await payments.settle()
    await actions.disableWebhooks()
    await accounts.pass(31 * dayMs)
    const { latest_invoice: latest } = await actions.subscriptionOf(cam)
    const invoice = String(latest)
    await payments.controls.debitInvoice(invoice, 'processing')
    const headers = members.headersOf(await members.logIn({ email: cam.email }))
    await accounts.delete({ headers })
    await expect.poll(() => accounts.statusesOf(cam.customer), waitOptions).toEqual(['canceled'])
    await site.context.accountDeletion.close(cam.memberId)
    expect(await accounts.deletionOf(cam)).toMatchObject({ email: cam.email })
    await accounts.pass(3 * dayMs)
    await payments.controls.debitInvoice(invoice, 'succeeded')
    await sweep()
    expect(await accounts.deletionOf(cam)).toBeNull()
    expect((await accounts.chargesOf(cam.customer))[0]).toEqual([499, true])
    expect((await accounts.emailsTo(cam)).at(-1)).toMatchObject({
      kind: 'account-deleted',
      data: { refunds: [{ ...money, status: 'refunded' }], customer: 'deleted' },
    })
  })

  it('is reported to the operator when it could not be settled for a day', async ({
    accounts,
    actions,
    payments,
    sweep,
  }) => {
    const eli = await accounts.subscribe()
    await actions.disableWebhooks()
    await accounts.failCalls(eli.customer)
    await accounts.delete(eli)
    await accounts.pass(25 * 60 * minuteMs)
    await sweep()
    // The job may have begun the attempt that the sweep would make.
    const overdue = () => log.entries().find(({ msg }) => msg === 'account deletion overdue')
    await expect.poll(overdue, waitOptions).toMatchObject({ level: 50, memberId: eli.memberId })
    await payments.controls.clearFaults()
    await payments.site.context.accountDeletion.close(eli.memberId)
    expect(await accounts.deletionOf(eli)).toBeNull()
  })

  it('leaves nothing for the reconcile to do', async ({ accounts, payments, site }) => {
    const dan = await accounts.subscribe()
    await accounts.delete(dan)
    await accounts.waitUntilClosed(dan)
    await payments.settle()
    const { changes, problems } = await site.context.reconciliation.reconcile()
    expect([changes, problems]).toEqual([[], []])
  })
})

describe('CUSTOMER_ON_DELETION=keep', () => {
  keepTest('redacts the customer and keeps its payments', async ({ accounts, stripe }) => {
    const ann = await accounts.subscribe()
    await stripe.customers.update(ann.customer, { name: 'Ann' })
    await accounts.delete(ann)
    await accounts.waitUntilClosed(ann)
    expect(await accounts.customerAtStripe(ann.customer)).toMatchObject({
      name: null,
      email: null,
      metadata: {},
    })
    expect((await stripe.paymentMethods.list({ customer: ann.customer })).data).toEqual([])
    expect((await stripe.charges.list({ customer: ann.customer })).data).toHaveLength(1)
    expect(await accounts.emailsTo(ann)).toMatchObject([{ data: { customer: 'redacted' } }])
  })

  manualTest(
    'waits for the refunds that the merchant makes by hand',
    async ({ accounts, payments, stripe, site, sweep, db }) => {
      const bea = await accounts.subscribe(testPrices.monthly)
      await accounts.delete(bea)
      await accounts.waitUntilClosed(bea)
      expect(await accounts.emailsTo(bea)).toMatchObject([
        { data: { refunds: [{ ...money, status: 'manual' }], customer: 'redacted-later' } },
      ])
      expect(await accounts.customerAtStripe(bea.customer)).toMatchObject({ email: bea.email })
      const { paymentIntentId } = await db.paymentRefund.findFirstOrThrow({
        where: { customerId: bea.customer },
      })
      await stripe.refunds.create({ payment_intent: paymentIntentId })
      await payments.settle()
      site.clock.pass(61 * minuteMs)
      await sweep()
      expect(await accounts.customerAtStripe(bea.customer)).toMatchObject({ email: null })
    },
  )
})
