import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { runMigrations } from '@tidings/launcher/migrations'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, paidPlansOf } from '#test/payments/payment-actions.ts'
import { startPaymentSite, testPrices } from '#test/sites/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'
import { syncCustomer } from '../billing.jobs.ts'

const it = paymentTest()
  /** Subscribes a member without sending webhooks. */
  .extend(
    'subscribeSilently',
    { scope: 'file' },
    ({ payments, actions, members }) =>
      async (): Promise<TestMember> => {
        const member = await members.signUp()
        await actions.disableWebhooks()
        await payments.controls.completeCheckout(await payments.openCheckout(member, testPrices.monthly))
        return member
      },
  )
  /** Sends these events one by one. */
  .extend(
    'sendEvents',
    { scope: 'file' },
    ({ payments }) =>
      async (events: readonly { id: string }[]): Promise<void> => {
        await payments.controls.setWebhooks({ mode: 'on' })
        for (const { id } of events) {
          await payments.controls.resendEvent(id)
          await payments.settle()
        }
      },
  )
  .extend('eventsAbout', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    const events = await actions.eventsOf(await actions.customerOf(member))
    const find = (type: string) => events.find((event) => event.type === `customer.subscription.${type}`)
    return { all: events, created: find('created'), updated: find('updated'), deleted: find('deleted') }
  })

const queueTest = paymentTest({ working: false })

describe('the order of webhook events', () => {
  const running = { active: true, status: 'ACTIVE' }
  const endsAt = '2026-12-20T17:00:00.000Z'
  it.for([
    ['most are missing', null, ['created'], { ...running, payment: { cancelAtDate: null } }],
    ['an update is first', 'end', ['updated', 'created'], { ...running, payment: { cancelAtDate: endsAt } }],
    ['an update is last', 'now', ['created', 'deleted', 'updated'], { active: false, status: 'CANCELED' }],
  ] as const)(
    'does not matter when %s',
    async ([_what, cancels, order, plan], {
      payments,
      actions,
      stripe,
      subscribeSilently,
      sendEvents,
      eventsAbout,
    }) => {
      const ann = await subscribeSilently()
      const { id } = await actions.subscriptionOf(ann)
      if (cancels !== null) await stripe.subscriptions.update(id, { cancel_at_period_end: true })
      if (cancels === 'now') await stripe.subscriptions.cancel(id)
      const events = await eventsAbout(ann)
      expect(paidPlansOf(await payments.memberOf(ann))).toEqual([])
      await sendEvents(order.flatMap((type) => events[type] ?? []))
      const member = await payments.memberOf(ann)
      expect(paidPlansOf(member)).toMatchObject([plan])
      expect(member.permissions).toEqual(plan.active ? ['paid'] : [])
    },
  )

  it('does not matter when the creation is repeated after the deletion', async ({
    payments,
    actions,
    stripe,
    eventsAbout,
  }) => {
    const ann = await actions.subscriber()
    await stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
    await payments.settle()
    const { all } = await eventsAbout(ann)
    // Stripe repeats an event under its own id, and sometimes under another.
    for (const event of all) await actions.deliver({ ...event, id: `${event.id}_again` })
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it.for([1, 2, 3])(
    'does not matter when all events are repeated and shuffled by %i',
    async (seed, { payments, actions, stripe, subscribeSilently, eventsAbout }) => {
      const ann = await subscribeSilently()
      const { id } = await actions.subscriptionOf(ann)
      await stripe.subscriptions.update(id, { cancel_at_period_end: true })
      await stripe.subscriptions.update(id, { cancel_at_period_end: false })
      const { all } = await eventsAbout(ann)
      const order = [...all, ...all]
        .map((event, index) => ({ event, rank: ((index * 7_919 * seed) % 104_729) % 31 }))
        .toSorted((one, other) => one.rank - other.rank)

      await payments.controls.setWebhooks({ mode: 'on' })
      await Promise.all(order.map(({ event }) => payments.controls.resendEvent(event.id)))
      await payments.settle()

      const [plan, ...more] = paidPlansOf(await payments.memberOf(ann))
      expect(more).toEqual([])
      expect(plan).toMatchObject({ active: true, status: 'ACTIVE', payment: { cancelAtDate: null } })
      expect(plan?.payment?.nextBillingDate).toBe('2026-12-20T17:00:00.000Z')
    },
  )
})

describe('a job queue without workers', () => {
  queueTest(
    'accepts every event without a call to Stripe, and loses none',
    async ({ payments, actions, site, members }) => {
      const { context } = site
      const ann = await members.signUp()
      await actions.disableWebhooks()
      await payments.controls.completeCheckout(await payments.openCheckout(ann, testPrices.yearly))
      const events = await actions.eventsOf(await actions.customerOf(ann))
      await context.database.transaction(async (tx) => {
        for (let number = 0; number < 30; number += 1) {
          await context.jobs.enqueue(tx, syncCustomer, { customerId: `cus_waiting_${number}` })
        }
      })
      // The first call to Stripe would consume this fault.
      await payments.controls.addFault({ kind: 'server-error' })

      const replies = await Promise.all(events.map((event) => actions.deliver(event)))

      expect(replies.map(({ statusCode }) => statusCode)).toEqual(events.map(() => 200))
      expect(await payments.controls.countFaults()).toBe(1)
      expect(paidPlansOf(await payments.memberOf(ann))).toEqual([])

      await useTestApp({ databaseUrl: payments.databaseUrl, env: payments.env })
      await payments.settle()
      expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
    },
  )
})

describe('webhook events that arrive together', () => {
  it('are stored once each, and the one that fails does not fail the others', async ({
    payments,
    actions,
    db,
    subscribeSilently,
  }) => {
    const customer = await actions.customerOf(await subscribeSilently())
    const log = createCapturedLog()
    const { app } = await useTestApp({
      databaseUrl: payments.databaseUrl,
      env: payments.env,
      overrides: { logger: log.logger },
    })
    await db.$executeRaw`ALTER TABLE payment_event ADD CONSTRAINT rejected CHECK (id <> 'evt_batch_bad')`
    onTestFinished(async () => {
      await db.$executeRaw`ALTER TABLE payment_event DROP CONSTRAINT rejected`
    })
    const { syncedAt } = await db.paymentCustomer.findUniqueOrThrow({ where: { id: customer } })

    const ids = ['1', '2', 'bad', '2', '3'].map((name) => `evt_batch_${name}`)
    const replies = await Promise.all(
      ids.map((id) => {
        const object = { object: 'subscription', customer }
        const body = JSON.stringify({
          id,
          type: 'customer.subscription.updated',
          created: 1,
          data: { object },
        })
        const headers = { 'stripe-signature': actions.sign(body) }
        return app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload: body })
      }),
    )
    await payments.settle()

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 500, 200, 200])
    const stored = await db.paymentEvent.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })
    expect(stored.map(({ id }) => id)).toEqual(['evt_batch_1', 'evt_batch_2', 'evt_batch_3'])
    const after = await db.paymentCustomer.findUniqueOrThrow({ where: { id: customer } })
    expect(after).toMatchObject({ syncRequestedAt: null, leasedUntil: null, syncedAt: expect.any(Date) })
    expect(syncedAt).toBeNull()
  })
})

describe('Stripe unavailable during a sync', () => {
  it('syncs once it is available again', async ({ payments, members }) => {
    const ann = await members.signUp()
    const checkout = await payments.openCheckout(ann, testPrices.monthly)
    // The SDK makes three attempts, then the job is retried.
    await payments.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 4 })
    await payments.controls.completeCheckout(checkout)
    await vi.waitFor(async () => {
      expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true }])
    }, waitOptions)
  })
})

describe('the database unavailable while events arrive', () => {
  test('returns an error, and accepts all events once it is available again', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tidings-payments-'))
    const settings = { fsync: 'off' }
    const postgres = await startEmbeddedPostgres({ dataDir, settings })
    onTestFinished(() => postgres.destroy())
    await runMigrations(postgres.url)
    const at = await startPaymentSite({ databaseUrl: postgres.url })
    onTestFinished(() => at.close())
    const actions = createPaymentActions(at)
    const [ann, ben] = [await at.members.signUp(), await at.members.signUp()]
    await at.subscribe(ann, testPrices.monthly)
    const benPays = await at.openCheckout(ben, testPrices.yearly)
    const { id } = await actions.subscriptionOf(ann)
    const customer = await actions.customerOf(ann)

    await postgres.stop()
    await at.stripe.subscriptions.cancel(id)
    await at.controls.completeCheckout(benPays)
    const refused = await actions.deliver({
      id: 'evt_while_away',
      type: 'customer.subscription.updated',
      created: 1,
      data: { object: { object: 'subscription', customer } },
    })
    const { pending } = await at.controls.deliveries()
    await startEmbeddedPostgres({ dataDir, port: postgres.port, settings })

    expect(refusalOf(refused)).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(pending).toBeGreaterThan(0)
    await vi.waitFor(async () => {
      expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
      expect(paidPlansOf(await actions.memberNow(ben))).toMatchObject([{ active: true, status: 'ACTIVE' }])
      expect((await at.controls.deliveries()).pending).toBe(0)
    }, waitOptions)
  })
})
