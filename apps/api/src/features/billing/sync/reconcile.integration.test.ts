import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf, testCards } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'

const monthlyPlan = 'pln_monthly-4f8t2c6hz9'
const yearlyPlan = 'pln_yearly-9b5s7j3dy6'

let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
beforeAll(async () => {
  at = await startPaymentSite()
  actions = createPaymentActions(at)
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.controls.setWebhooks({ mode: 'on' })
  ann = await at.members.signUp()
})
afterEach(() => at.controls.clearFaults())

/** Disables webhooks for the rest of the test. */
async function disableWebhooks(): Promise<void> {
  await at.controls.setWebhooks({ mode: 'off' })
}

async function reconcile() {
  const { changes } = await at.site.context.reconciliation.reconcile()
  return changes.filter(({ memberId }) => memberId === ann.memberId)
}

function change(planId: string, before: string, after: string) {
  return { memberId: ann.memberId, planId, before, after }
}

async function plansOf(member: TestMember) {
  return paidPlansOf(await actions.memberNow(member))
}

describe('reconcile without webhooks', () => {
  it('reports a new subscription', async () => {
    await disableWebhooks()
    await at.controls.completeCheckout(await at.openCheckout(ann, testPrices.monthly))
    expect(await reconcile()).toEqual([change(monthlyPlan, 'none', 'ACTIVE')])
    expect(await plansOf(ann)).toMatchObject([{ planId: monthlyPlan, active: true }])
  })

  describe('for a subscriber', () => {
    beforeEach(async () => {
      await at.subscribe(ann, testPrices.monthly)
      await disableWebhooks()
    })

    it('reports nothing without a change', async () => {
      expect(await reconcile()).toEqual([])
    })

    it('reports a canceled subscription', async () => {
      await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect(await plansOf(ann)).toMatchObject([{ active: false, status: 'CANCELED' }])
      expect(await reconcile()).toEqual([])
    })

    it('reports a scheduled cancellation and its reversal', async () => {
      const { id } = await actions.subscriptionOf(ann)
      await at.stripe.subscriptions.update(id, { cancel_at_period_end: true })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.cancelAtDate).not.toBeNull()
      await at.stripe.subscriptions.update(id, { cancel_at_period_end: false })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.cancelAtDate).toBeNull()
    })

    it('reports a plan change', async () => {
      const { id, items } = await actions.subscriptionOf(ann)
      const yearly = await at.site.context.database.db.stripePrice.findFirstOrThrow({
        where: { priceId: testPrices.yearly },
      })
      await at.stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', price: yearly.id }] })
      expect(await reconcile()).toEqual([
        change(monthlyPlan, 'ACTIVE', 'none'),
        change(yearlyPlan, 'none', 'ACTIVE'),
      ])
      expect(await plansOf(ann)).toMatchObject([{ planId: yearlyPlan, active: true }])
    })

    it('reports a change to another plan of the same price', async () => {
      const { id, items } = await actions.subscriptionOf(ann)
      const { db } = at.site.context.database
      const monthly = await db.stripePrice.findFirstOrThrow({ where: { priceId: testPrices.monthly } })
      const twin = await at.stripe.prices.create({
        ...{ product: monthly.productId, currency: 'usd', unit_amount: monthly.amount },
        recurring: { interval: 'month' },
      })
      const sold = { ...monthly, id: twin.id, planId: yearlyPlan, priceId: 'prc_twin', current: false }
      await db.stripePrice.create({ data: sold })
      await at.stripe.subscriptions.update(id, {
        items: [{ id: items.data[0]?.id ?? '', price: twin.id }],
        proration_behavior: 'none',
      })
      expect(await reconcile()).toContainEqual(change(yearlyPlan, 'none', 'ACTIVE'))
      expect(await plansOf(ann)).toMatchObject([{ planId: yearlyPlan, payment: { priceId: 'prc_twin' } }])
    })

    it('reports a paid renewal followed by a failed one', async () => {
      at.site.clock.pass(31 * 24 * 3_600_000)
      await at.controls.advanceTime(0)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.lastBillingDate).toMatch(/^2026-12-/)
      await actions.changeCard(ann, testCards.failsLater)
      at.site.clock.pass(31 * 24 * 3_600_000)
      await at.controls.advanceTime(0)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'PAST_DUE')])
    })

    it.each(['needs_response', 'lost'])('reports a dispute with status %s', async (status) => {
      await at.controls.openDispute(await actions.chargeOf(ann), { status })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
      expect(await reconcile()).toEqual([])
    })

    it('ignores a dispute that the merchant won', async () => {
      await at.controls.openDispute(await actions.chargeOf(ann), { status: 'won' })
      expect(await reconcile()).toEqual([])
    })

    it('reports a deleted customer', async () => {
      await at.stripe.customers.del(await actions.customerOf(ann))
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect(await plansOf(ann)).toMatchObject([{ planId: monthlyPlan, active: false, status: 'CANCELED' }])
      expect(await reconcile()).toEqual([])
    })

    it('cancels and refunds the subscription of a deleted member', async () => {
      const { id } = await actions.subscriptionOf(ann)
      await at.site.context.database.db.member.delete({ where: { id: ann.memberId } })
      await at.site.context.reconciliation.reconcile()
      expect((await at.stripe.subscriptions.retrieve(id)).status).toBe('canceled')
      const { data } = await at.stripe.refunds.list({ limit: 1 })
      expect(data[0]).toMatchObject({ amount: 499, status: 'succeeded' })
    })

    it('reports a change in the next run when Stripe is unavailable', async () => {
      await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
      await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 3 })
      await expect(at.site.context.reconciliation.reconcile()).rejects.toThrow()
      expect(await plansOf(ann)).toMatchObject([{ active: true }])
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
    })
  })
})

describe('a key without permission to read disputes', () => {
  it.each(['GET /v1/disputes', 'GET /v1/invoice_payments'])(
    'still compares every plan, and logs the error: %s',
    async (match) => {
      const log = createCapturedLog()
      const site = await startPaymentSite({ overrides: { logger: log.logger } })
      onTestFinished(() => site.close())
      const there = createPaymentActions(site)
      const [ben, cam] = [await site.members.signUp(), await site.members.signUp()]
      await site.subscribe(ben, testPrices.monthly)
      await site.subscribe(cam, testPrices.monthly)
      await site.controls.setWebhooks({ mode: 'off' })
      await site.controls.openDispute(await there.chargeOf(ben))
      await site.stripe.subscriptions.cancel((await there.subscriptionOf(cam)).id)

      await site.controls.addFault({ kind: 'forbidden', match, times: 100 })
      const { changes } = await site.site.context.reconciliation.reconcile()
      expect(changes).toEqual([
        { memberId: cam.memberId, planId: monthlyPlan, before: 'ACTIVE', after: 'CANCELED' },
      ])
      const errors = log.lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
      const messages = new Set(errors.flatMap(({ err }) => err?.message.split(',')[0] ?? []))
      expect([...messages]).toEqual(['StripePermissionError'])
    },
  )
})

describe('a reconcile that would close many plans', () => {
  it('changes nothing unless it is forced', async () => {
    const site = await startPaymentSite()
    onTestFinished(() => site.close())
    const members = []
    for (let count = 0; count < 6; count += 1) {
      const member = await site.members.signUp()
      await site.subscribe(member, testPrices.monthly)
      members.push(member)
    }
    await site.controls.setWebhooks({ mode: 'off' })
    const there = createPaymentActions(site)
    const { db } = site.site.context.database
    const mails = await db.outboxEmail.count()
    for (const member of members)
      await site.stripe.subscriptions.cancel((await there.subscriptionOf(member)).id)
    const { reconciliation } = site.site.context
    await expect(reconciliation.reconcile()).rejects.toThrow('6 of 6 open plans would be closed')
    expect(await db.planConnection.count({ where: { active: true, type: 'subscription' } })).toBe(6)
    expect(await db.outboxEmail.count()).toBe(mails)
    const { changes } = await reconciliation.reconcile({ isForced: true })
    expect(changes.map(({ after }) => after)).toEqual(Array.from({ length: 6 }, () => 'CANCELED'))
  })
})

describe('a restored backup', () => {
  /** Deletes the member's payment customer and plan, as if they were stored after the backup. */
  async function restore({ memberId }: TestMember): Promise<string> {
    const { db } = at.site.context.database
    const customer = await actions.customerOf({ memberId })
    await db.planConnection.deleteMany({ where: { memberId } })
    await db.member.update({ where: { id: memberId }, data: { stripeCustomerId: null } })
    await db.paymentCustomer.delete({ where: { id: customer } })
    return customer
  }

  beforeEach(async () => {
    await at.subscribe(ann, testPrices.monthly)
    await disableWebhooks()
  })

  it.each(['subscription', 'customer'])('recovers its members from the metadata of the %s', async (named) => {
    const customer = await restore(ann)
    if (named === 'customer') {
      const { data } = await at.stripe.subscriptions.list({ customer })
      await at.stripe.subscriptions.update(data[0]?.id ?? '', { metadata: { app: '', member: '' } })
    }
    const { changes, problems } = await at.site.context.reconciliation.reconcile()
    expect(problems).toEqual([])
    expect(changes).toEqual([change(monthlyPlan, 'none', 'ACTIVE')])
    expect(await actions.customerOf(ann)).toBe(customer)
    expect((await at.site.context.reconciliation.reconcile()).changes).toEqual([])
  })

  it('reports a deleted member and a member with another customer', async () => {
    const log = createCapturedLog()
    const other = await useTestApp({
      ...{ databaseUrl: at.databaseUrl, env: at.env, working: false },
      overrides: { logger: log.logger, clock: at.site.clock },
    })
    const bea = await at.members.signUp()
    await at.controls.completeCheckout(await at.openCheckout(bea, testPrices.monthly))
    const customers = [await restore(ann), await restore(bea)]
    const { db } = at.site.context.database
    await db.member.delete({ where: { id: ann.memberId } })
    const { id: another } = await at.stripe.customers.create({})
    const { memberId } = bea
    const { appId } = at.site.context.config.site
    await db.paymentCustomer.create({
      data: { id: another, memberId, appId, createdAt: at.site.clock.now() },
    })
    await db.member.update({ where: { id: memberId }, data: { stripeCustomerId: another } })
    const { problems, changes } = await other.context.reconciliation.reconcile()
    expect(changes).toEqual([])
    expect(problems.toSorted((one) => (one.id === customers[0] ? -1 : 1))).toEqual([
      { id: customers[0], reason: `member ${ann.memberId} does not exist` },
      {
        id: customers[1],
        reason: `member ${memberId} already has customer ${another}`,
      },
    ])
    expect(log.lines.join()).toContain('reconcile failed')
    for (const customer of customers) await at.stripe.customers.del(customer)
  })
})
