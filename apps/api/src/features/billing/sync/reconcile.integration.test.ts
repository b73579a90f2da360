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

/** From now on nobody tells of anything. */
async function tellNothing(): Promise<void> {
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

describe('what no event told', () => {
  it('is found and said: somebody has paid', async () => {
    await tellNothing()
    await at.controls.completeCheckout(await at.openCheckout(ann, testPrices.monthly))
    expect(await reconcile()).toEqual([change(monthlyPlan, 'none', 'ACTIVE')])
    expect(await plansOf(ann)).toMatchObject([{ planId: monthlyPlan, active: true }])
  })

  describe('of somebody who pays', () => {
    beforeEach(async () => {
      await at.subscribe(ann, testPrices.monthly)
      await tellNothing()
    })

    it('is nothing, when nothing has happened', async () => {
      expect(await reconcile()).toEqual([])
    })

    it('is found and said: it has ended', async () => {
      await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect(await plansOf(ann)).toMatchObject([{ active: false, status: 'CANCELED' }])
      expect(await reconcile()).toEqual([])
    })

    it('is found and said: it was cancelled, and goes on after all', async () => {
      const { id } = await actions.subscriptionOf(ann)
      await at.stripe.subscriptions.update(id, { cancel_at_period_end: true })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.cancelAtDate).not.toBeNull()
      await at.stripe.subscriptions.update(id, { cancel_at_period_end: false })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.cancelAtDate).toBeNull()
    })

    it('is found and said: it is another plan now', async () => {
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

    it('is found and said: another plan that costs as much', async () => {
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

    it('is found and said: a renewal was paid, another one was not', async () => {
      at.site.clock.pass(31 * 24 * 3_600_000)
      await at.controls.advanceTime(0)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.lastBillingDate).toMatch(/^2026-12-/)
      await actions.changeCard(ann, testCards.failsLater)
      at.site.clock.pass(31 * 24 * 3_600_000)
      await at.controls.advanceTime(0)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'PAST_DUE')])
    })

    it.each(['needs_response', 'lost'])('is found and said: a dispute that is %s', async (status) => {
      await at.controls.openDispute(await actions.chargeOf(ann), { status })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
      expect(await reconcile()).toEqual([])
    })

    it('is no dispute that the merchant has won', async () => {
      await at.controls.openDispute(await actions.chargeOf(ann), { status: 'won' })
      expect(await reconcile()).toEqual([])
    })

    it('is found and said: the customer was removed', async () => {
      await at.stripe.customers.del(await actions.customerOf(ann))
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect(await plansOf(ann)).toMatchObject([{ planId: monthlyPlan, active: false, status: 'CANCELED' }])
      expect(await reconcile()).toEqual([])
    })

    it('is found: whoever has left pays no more', async () => {
      const { id } = await actions.subscriptionOf(ann)
      await at.site.context.database.db.member.delete({ where: { id: ann.memberId } })
      await at.site.context.reconciliation.reconcile()
      expect((await at.stripe.subscriptions.retrieve(id)).status).toBe('canceled')
      const { data } = await at.stripe.refunds.list({ limit: 1 })
      expect(data[0]).toMatchObject({ amount: 499, status: 'succeeded' })
    })

    it('stays to be found while the payment service does not answer', async () => {
      await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
      await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 3 })
      await expect(at.site.context.reconciliation.reconcile()).rejects.toThrow()
      expect(await plansOf(ann)).toMatchObject([{ active: true }])
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
    })
  })
})

describe('a key that may not look at disputes', () => {
  it.each(['GET /v1/disputes', 'GET /v1/invoice_payments'])(
    'keeps no plan from being compared, and is logged: %s',
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
      const said = new Set(errors.flatMap(({ err }) => err?.message.split(',')[0] ?? []))
      expect([...said]).toEqual(['StripePermissionError'])
    },
  )
})

describe('a reconcile that would close many plans', () => {
  it('stops before it changes anything, until it is forced', async () => {
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
    const mails = await db.accountNotice.count()
    for (const member of members)
      await site.stripe.subscriptions.cancel((await there.subscriptionOf(member)).id)
    const { reconciliation } = site.site.context
    await expect(reconciliation.reconcile()).rejects.toThrow('6 of 6 open plans would be closed')
    expect(await db.planConnection.count({ where: { active: true, type: 'subscription' } })).toBe(6)
    expect(await db.accountNotice.count()).toBe(mails)
    const { changes } = await reconciliation.reconcile({ isForced: true })
    expect(changes.map(({ after }) => after)).toEqual(Array.from({ length: 6 }, () => 'CANCELED'))
  })
})

describe('a restored backup', () => {
  /** Takes away what was stored since the backup: who the member is at the payment service, and the plan. */
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
    await tellNothing()
  })

  it.each(['subscription', 'customer'])('has its members back, by the metadata of the %s', async (named) => {
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

  it('reports a member who is gone, and one who has another customer', async () => {
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
