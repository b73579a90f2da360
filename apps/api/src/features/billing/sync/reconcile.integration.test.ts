import { describe, expect, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { type PaymentSiteOptions, startPaymentSite, testPrices } from '#test/sites/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'

const monthlyPlan = 'pln_monthly-4f8t2c6hz9'
const yearlyPlan = 'pln_yearly-9b5s7j3dy6'
let ann: TestMember

const it = paymentTest()
  .extend('reconcile', { scope: 'file' }, ({ site }) => async () => {
    const { changes } = await site.context.reconciliation.reconcile()
    return changes.filter(({ memberId }) => memberId === ann.memberId)
  })
  .extend('plansOf', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    return paidPlansOf(await actions.memberNow(member))
  })
  /** Deletes a member's payment customer and plan, as if they were stored after the backup. */
  .extend('restore', { scope: 'file' }, ({ actions, db }) => async ({ memberId }: TestMember) => {
    const customer = await actions.customerOf({ memberId })
    await db.planConnection.deleteMany({ where: { memberId } })
    await db.member.update({ where: { id: memberId }, data: { stripeCustomerId: null } })
    await db.paymentCustomer.delete({ where: { id: customer } })
    return customer
  })

it.beforeEach(async ({ members }) => {
  ann = await members.signUp()
})
it.afterEach(({ payments }) => payments.controls.clearFaults())

/** Starts a site of the test's own, with an action that adds a subscriber. */
async function startOwnSite(options: PaymentSiteOptions = {}) {
  const payments = await startPaymentSite(options)
  onTestFinished(() => payments.close())
  return {
    payments,
    actions: createPaymentActions(payments),
    async addSubscriber(): Promise<TestMember> {
      const member = await payments.members.signUp()
      await payments.subscribe(member, testPrices.monthly)
      return member
    },
  }
}

function change(planId: string, before: string, after: string) {
  return { memberId: ann.memberId, planId, before, after }
}

describe('reconcile without webhooks', () => {
  it('reports a new subscription', async ({ payments, actions, reconcile, plansOf }) => {
    await actions.disableWebhooks()
    await payments.controls.completeCheckout(await payments.openCheckout(ann, testPrices.monthly))
    expect(await reconcile()).toEqual([change(monthlyPlan, 'none', 'ACTIVE')])
    expect(await plansOf(ann)).toMatchObject([{ planId: monthlyPlan, active: true }])
  })

  describe('for a subscriber', () => {
    it.beforeEach(async ({ payments, actions }) => {
      await payments.subscribe(ann, testPrices.monthly)
      await actions.disableWebhooks()
    })

    it('reports nothing without a change', async ({ reconcile }) => {
      expect(await reconcile()).toEqual([])
    })

    it('reports a canceled subscription', async ({ actions, reconcile, plansOf }) => {
      await actions.cancelAtStripe(ann)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect(await plansOf(ann)).toMatchObject([{ active: false, status: 'CANCELED' }])
      expect(await reconcile()).toEqual([])
    })

    it('reports a scheduled cancellation and its reversal', async ({
      actions,
      stripe,
      reconcile,
      plansOf,
    }) => {
      const { id } = await actions.subscriptionOf(ann)
      await stripe.subscriptions.update(id, { cancel_at_period_end: true })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.cancelAtDate).not.toBeNull()
      await stripe.subscriptions.update(id, { cancel_at_period_end: false })
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.cancelAtDate).toBeNull()
    })

    it('reports a plan change', async ({ actions, site, stripe, reconcile, plansOf }) => {
      const { id, items } = await actions.subscriptionOf(ann)
      const yearly = await site.context.database.db.stripePrice.findFirstOrThrow({
        where: { priceId: testPrices.yearly },
      })
      await stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', price: yearly.id }] })
      expect(await reconcile()).toEqual([
        change(monthlyPlan, 'ACTIVE', 'none'),
        change(yearlyPlan, 'none', 'ACTIVE'),
      ])
      expect(await plansOf(ann)).toMatchObject([{ planId: yearlyPlan, active: true }])
    })

    it('reports a change to another plan of the same price', async ({
      actions,
      db,
      stripe,
      reconcile,
      plansOf,
    }) => {
      const { id, items } = await actions.subscriptionOf(ann)
      const monthly = await db.stripePrice.findFirstOrThrow({ where: { priceId: testPrices.monthly } })
      const twin = await stripe.prices.create({
        product: monthly.productId,
        currency: 'usd',
        unit_amount: monthly.amount,
        recurring: { interval: 'month' },
      })
      const sold = { ...monthly, id: twin.id, planId: yearlyPlan, priceId: 'prc_twin', current: false }
      await db.stripePrice.create({ data: sold })
      await stripe.subscriptions.update(id, {
        items: [{ id: items.data[0]?.id ?? '', price: twin.id }],
        proration_behavior: 'none',
      })
      expect(await reconcile()).toContainEqual(change(yearlyPlan, 'none', 'ACTIVE'))
      expect(await plansOf(ann)).toMatchObject([{ planId: yearlyPlan, payment: { priceId: 'prc_twin' } }])
    })

    it('reports a paid renewal followed by a failed one', async ({
      payments,
      actions,
      site,
      reconcile,
      plansOf,
    }) => {
      site.clock.pass(31 * 24 * 3_600_000)
      await payments.controls.advanceTime(0)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'ACTIVE')])
      expect((await plansOf(ann))[0]?.payment?.lastBillingDate).toMatch(/^2026-12-/)
      await actions.changeCard(ann, testCards.failsLater)
      site.clock.pass(31 * 24 * 3_600_000)
      await payments.controls.advanceTime(0)
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'PAST_DUE')])
    })

    it.for(['needs_response', 'lost'])(
      'reports a dispute with status %s',
      async (status, { payments, actions, reconcile }) => {
        await payments.controls.openDispute(await actions.chargeOf(ann), { status })
        expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
        expect((await actions.subscriptionOf(ann)).status).toBe('canceled')
        expect(await reconcile()).toEqual([])
      },
    )

    it('ignores a dispute that the merchant won', async ({ payments, actions, reconcile }) => {
      await payments.controls.openDispute(await actions.chargeOf(ann), { status: 'won' })
      expect(await reconcile()).toEqual([])
    })

    it('reports a deleted customer', async ({ actions, stripe, reconcile, plansOf }) => {
      await stripe.customers.del(await actions.customerOf(ann))
      expect(await reconcile()).toEqual([change(monthlyPlan, 'ACTIVE', 'CANCELED')])
      expect(await plansOf(ann)).toMatchObject([{ planId: monthlyPlan, active: false, status: 'CANCELED' }])
      expect(await reconcile()).toEqual([])
    })

    it('cancels and refunds the subscription of a deleted member', async ({ actions, site, stripe }) => {
      const { id } = await actions.subscriptionOf(ann)
      await site.context.database.db.member.delete({ where: { id: ann.memberId } })
      await site.context.reconciliation.reconcile()
      expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
      const { data } = await stripe.refunds.list({ limit: 1 })
      expect(data[0]).toMatchObject({ amount: 499, status: 'succeeded' })
    })

    it('reports a change in the next run when Stripe is unavailable', async ({
      payments,
      actions,
      site,
      reconcile,
      plansOf,
    }) => {
      await actions.cancelAtStripe(ann)
      await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 3 })
      await expect(site.context.reconciliation.reconcile()).rejects.toThrow()
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
      const overrides = { logger: log.logger }
      const { payments, actions, addSubscriber } = await startOwnSite({ overrides })
      const [ben, cam] = [await addSubscriber(), await addSubscriber()]
      await actions.disableWebhooks()
      await payments.controls.openDispute(await actions.chargeOf(ben))
      await actions.cancelAtStripe(cam)

      await payments.controls.addFault({ kind: 'forbidden', match, times: 100 })
      const { changes } = await payments.site.context.reconciliation.reconcile()
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
    const { payments, actions, addSubscriber } = await startOwnSite()
    const members: TestMember[] = []
    for (let count = 0; count < 6; count += 1) members.push(await addSubscriber())
    await actions.disableWebhooks()
    const { reconciliation, database } = payments.site.context
    const { db } = database
    const mails = await db.outboxEmail.count()
    for (const member of members) await actions.cancelAtStripe(member)
    await expect(reconciliation.reconcile()).rejects.toThrow('6 of 6 open plans would be closed')
    expect(await db.planConnection.count({ where: { active: true, type: 'subscription' } })).toBe(6)
    expect(await db.outboxEmail.count()).toBe(mails)
    const { changes } = await reconciliation.reconcile({ isForced: true })
    expect(changes.map(({ after }) => after)).toEqual(Array.from({ length: 6 }, () => 'CANCELED'))
  })
})

describe('a restored backup', () => {
  it.beforeEach(async ({ payments, actions }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await actions.disableWebhooks()
  })

  it.for(['subscription', 'customer'])(
    'recovers its members from the metadata of the %s',
    async (named, { actions, site, stripe, restore }) => {
      const customer = await restore(ann)
      if (named === 'customer') {
        const { data } = await stripe.subscriptions.list({ customer })
        await stripe.subscriptions.update(data[0]?.id ?? '', { metadata: { app: '', member: '' } })
      }
      const { changes, problems } = await site.context.reconciliation.reconcile()
      expect(problems).toEqual([])
      expect(changes).toEqual([change(monthlyPlan, 'none', 'ACTIVE')])
      expect(await actions.customerOf(ann)).toBe(customer)
      expect((await site.context.reconciliation.reconcile()).changes).toEqual([])
    },
  )

  it('reports a deleted member and a member with another customer', async ({
    db,
    restore,
    payments,
    site,
    members,
    stripe,
  }) => {
    const log = createCapturedLog()
    const other = await useTestApp({
      databaseUrl: payments.databaseUrl,
      env: payments.env,
      working: false,
      overrides: { logger: log.logger, clock: site.clock },
    })
    const bea = await members.signUp()
    await payments.controls.completeCheckout(await payments.openCheckout(bea, testPrices.monthly))
    const customers = [await restore(ann), await restore(bea)]
    await db.member.delete({ where: { id: ann.memberId } })
    const { id: another } = await stripe.customers.create({})
    const { memberId } = bea
    const { appId } = site.context.config.site
    await db.paymentCustomer.create({
      data: { id: another, memberId, appId, createdAt: site.clock.now() },
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
    for (const customer of customers) await stripe.customers.del(customer)
  })
})
