import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'

const leaseMs = 5 * 60_000

const it = paymentTest()
  /** A subscriber of the monthly plan, whose later events are lost. */
  .extend('ann', async ({ payments, actions, members }) => {
    const ann = await members.signUp()
    await payments.subscribe(ann, testPrices.monthly)
    await actions.disableWebhooks()
    return { ...ann, customer: await actions.customerOf(ann) }
  })
  /** Another process of the site, without workers. */
  .extend('other', async ({ payments, site }) => {
    const { databaseUrl, env } = payments
    const other = await useTestApp({ databaseUrl, env, working: false, overrides: { clock: site.clock } })
    return other.context.subscriptionSync
  })
  /** Starts a sync, and holds Stripe's list of the subscriptions as they are now. */
  .extend('startSync', { scope: 'file' }, ({ actions, site }) => async (customer: string) => {
    const held = await actions.hold({ kind: 'late', match: 'GET /v1/subscriptions', about: customer })
    const changes = site.context.subscriptionSync.sync(customer)
    // A rejection is awaited later.
    changes.catch(() => undefined)
    await held.arrived()
    return {
      async end() {
        await held.release()
        return await changes
      },
    }
  })
  .extend('payAgain', { scope: 'file' }, ({ payments, site }) => async (member: TestMember) => {
    const page = await payments.openSecondCheckout(member, testPrices.monthly)
    site.clock.pass(1_000)
    await payments.controls.completeCheckout(page)
  })
  /** Returns the statuses of a member's subscriptions and the refunds of their payments, oldest first. */
  .extend('stripeState', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    const statuses = (await actions.subscriptionsOf(member)).map(({ status }) => status).reverse()
    return { statuses, refunded: await actions.refundedOf(await actions.customerOf(member)) }
  })
  /** Makes the next sync of an ended subscription fail. */
  .extend('failSettling', { scope: 'file' }, ({ payments }) => async () => {
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/invoices', times: 3 })
  })
  .extend('request', { scope: 'file' }, ({ site }) => async (customer: string) => {
    const { database, subscriptionSync } = site.context
    await database.sqlTransaction((tx) => subscriptionSync.request(tx, [customer]))
  })
  /** Leaves a customer as a process does that is killed in a sync. */
  .extend('leave', { scope: 'file' }, ({ db, site }) => async (id: string) => {
    const leaseOwner = '00000000-0000-4000-8000-000000000001'
    const leasedUntil = new Date(site.clock.now().getTime() + leaseMs)
    await db.paymentCustomer.update({ where: { id }, data: { leaseOwner, leasedUntil } })
  })
  .extend('rowOf', { scope: 'file' }, ({ db }) => async (id: string) => {
    return await db.paymentCustomer.findUniqueOrThrow({ where: { id } })
  })
  .extend('statusOf', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    return paidPlansOf(await actions.memberNow(member)).map(({ status }) => status)
  })

const ended = [{ before: 'ACTIVE', after: 'CANCELED' }]

describe('a sync while another process syncs the customer', () => {
  it('waits, and stores what Stripe has then', async ({
    payments,
    actions,
    stripe,
    ann,
    other,
    startSync,
    statusOf,
  }) => {
    const older = await startSync(ann.customer)
    await actions.cancelAtStripe(ann)
    // A call to Stripe would consume this fault, which does nothing.
    await payments.controls.addFault({ kind: 'slow', delayMs: 0, match: 'GET /v1/subscriptions' })
    const newer = other.sync(ann.customer)
    for (let call = 0; call < 20; call += 1) await stripe.customers.retrieve(ann.customer)
    expect(await payments.controls.countFaults()).toBe(1)
    expect(await older.end()).toEqual([])
    expect(await newer).toMatchObject(ended)
    expect(await statusOf(ann)).toEqual(['CANCELED'])
  })

  it('takes over an expired lease, and the first one stores nothing', async ({
    actions,
    site,
    ann,
    other,
    startSync,
    statusOf,
  }) => {
    const stalled = await startSync(ann.customer)
    await actions.cancelAtStripe(ann)
    site.clock.pass(leaseMs)
    expect(await other.sync(ann.customer)).toMatchObject(ended)
    expect(await stalled.end()).toEqual([])
    expect(await statusOf(ann)).toEqual(['CANCELED'])
  })

  it('takes over an expired lease during a cancellation, and the first one cancels nothing that it keeps', async ({
    actions,
    site,
    stripe,
    ann,
    other,
    payAgain,
    stripeState,
  }) => {
    await payAgain(ann)
    await payAgain(ann)
    const [, second, first] = await actions.subscriptionsOf(ann)
    const held = await actions.hold({ match: 'DELETE /v1/subscriptions' })
    const stalled = site.context.subscriptionSync.sync(ann.customer)
    await held.arrived()
    site.clock.pass(leaseMs)
    for (const one of [first, second]) await stripe.subscriptions.cancel(one?.id ?? '')
    await other.sync(ann.customer)
    await held.release()
    expect(await stalled).toEqual([])
    expect(await stripeState(ann)).toEqual({
      statuses: ['canceled', 'canceled', 'active'],
      refunded: [0, 499, 0],
    })
  })

  it('cancels and refunds a duplicate once', async ({ site, ann, other, payAgain, stripeState }) => {
    await payAgain(ann)
    const { subscriptionSync } = site.context
    await Promise.all([subscriptionSync, other, subscriptionSync, other].map((one) => one.sync(ann.customer)))
    expect(await stripeState(ann)).toEqual({ statuses: ['active', 'canceled'], refunded: [0, 499] })
  })
})

describe('a sync that is requested while one runs', () => {
  it('follows it, once for many requests', async ({
    payments,
    actions,
    db,
    ann,
    startSync,
    request,
    statusOf,
  }) => {
    const countJobs = () =>
      db.$queryRaw`SELECT count(*)::int FROM jobs.job WHERE name = 'billing.sync-customer'`
    const running = await startSync(ann.customer)
    const before = await countJobs()
    await actions.cancelAtStripe(ann)
    await Promise.all([1, 2, 3].map(() => request(ann.customer)))
    expect(await countJobs()).toEqual(before)
    expect(await running.end()).toEqual([])
    await payments.settle()
    expect(await statusOf(ann)).toEqual(['CANCELED'])
  })

  it('follows one that fails', async ({
    payments,
    actions,
    ann,
    failSettling,
    startSync,
    request,
    statusOf,
  }) => {
    await actions.cancelAtStripe(ann)
    const failing = await startSync(ann.customer)
    await failSettling()
    await request(ann.customer)
    await expect(failing.end()).rejects.toThrow('StripeAPIError')
    await payments.settle()
    expect(await statusOf(ann)).toEqual(['CANCELED'])
  })

  it.for([1, 2, 3])(
    'is not lost among many, in order %i',
    async (seed, { payments, actions, stripe, ann, other, request }) => {
      const { id } = await actions.subscriptionOf(ann)
      const calls = Array.from({ length: 24 }, (_, index) => async () => {
        const chance = ((index + 1) * 7_919 * seed) % 5
        if (chance === 0) await stripe.subscriptions.update(id, { cancel_at_period_end: index % 2 === 0 })
        if (chance === 1) await other.sync(ann.customer)
        await request(ann.customer)
      })
      await Promise.all(calls.map((call) => call()))
      await payments.settle()
      const { cancel_at: cancelAt } = await actions.subscriptionOf(ann)
      const [plan] = paidPlansOf(await actions.memberNow(ann))
      const endsAt = cancelAt === null ? null : new Date(cancelAt * 1_000).toISOString()
      expect(plan?.payment?.cancelAtDate).toBe(endsAt)
    },
  )
})

describe('a sync whose process was killed', () => {
  it('is repeated once its lease has expired', async ({ actions, site, ann, leave, statusOf, rowOf }) => {
    await leave(ann.customer)
    await actions.cancelAtStripe(ann)
    const { reconciliation } = site.context
    site.clock.pass(leaseMs - 1)
    await reconciliation.sweep()
    expect(await statusOf(ann)).toEqual(['ACTIVE'])
    site.clock.pass(1)
    await reconciliation.sweep()
    expect(await statusOf(ann)).toEqual(['CANCELED'])
    expect(await rowOf(ann.customer)).toMatchObject({ leaseOwner: null, leasedUntil: null })
  })

  it('is repeated by the next request after that', async ({
    payments,
    actions,
    site,
    ann,
    leave,
    request,
    statusOf,
  }) => {
    await leave(ann.customer)
    await request(ann.customer)
    await actions.cancelAtStripe(ann)
    site.clock.pass(leaseMs)
    await request(ann.customer)
    await payments.settle()
    expect(await statusOf(ann)).toEqual(['CANCELED'])
  })
})

describe('a failed sync', () => {
  it('keeps its request, which the sweep repeats', async ({
    actions,
    site,
    db,
    ann,
    failSettling,
    statusOf,
    rowOf,
  }) => {
    const syncRequestedAt = site.clock.now()
    await db.paymentCustomer.update({ where: { id: ann.customer }, data: { syncRequestedAt } })
    await actions.cancelAtStripe(ann)
    await failSettling()
    const { reconciliation, subscriptionSync } = site.context
    await expect(subscriptionSync.sync(ann.customer)).rejects.toThrow('StripeAPIError')
    expect(await rowOf(ann.customer)).toMatchObject({ syncRequestedAt, leaseOwner: null, leasedUntil: null })
    site.clock.pass(10 * 60_000 + 1)
    await reconciliation.sweep()
    expect(await statusOf(ann)).toEqual(['CANCELED'])
    expect(await rowOf(ann.customer)).toMatchObject({ syncRequestedAt: null })
  })
})
