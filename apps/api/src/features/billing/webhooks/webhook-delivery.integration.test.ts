import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@tidings/launcher/embedded-postgres'
import { runMigrations } from '@tidings/launcher/migrations'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf } from '#test/payment-actions.ts'
import {
  type PaymentSite,
  type PaymentSiteOptions,
  startPaymentSite,
  testPrices,
} from '#test/payment-site.ts'
import { useTestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'
import { syncCustomer } from '../billing.jobs.ts'

async function useSite(options?: PaymentSiteOptions): Promise<PaymentSite> {
  const site = await startPaymentSite(options)
  onTestFinished(() => site.close())
  return site
}

describe('the order of events', () => {
  let at: PaymentSite
  let actions: PaymentActions
  beforeAll(async () => {
    at = await startPaymentSite()
    actions = createPaymentActions(at)
  })
  afterAll(() => at.close())

  /** Somebody of whose subscription nothing was told yet. */
  async function subscribeUntold(): Promise<TestMember> {
    const member = await at.members.signUp()
    await at.controls.setWebhooks({ mode: 'off' })
    await at.controls.completeCheckout(await at.openCheckout(member, testPrices.monthly))
    return member
  }

  /** Has the payment service tell of these events one by one. */
  async function tell(events: readonly { id: string }[]): Promise<void> {
    await at.controls.setWebhooks({ mode: 'on' })
    for (const { id } of events) {
      await at.controls.resendEvent(id)
      await at.settle()
    }
  }

  async function eventsAbout(member: TestMember) {
    const events = await actions.eventsOf(await actions.customerOf(member))
    const find = (type: string) => events.find((event) => event.type === `customer.subscription.${type}`)
    return { all: events, created: find('created'), updated: find('updated'), deleted: find('deleted') }
  }

  it('does not matter when the change is told before the beginning', async () => {
    const ann = await subscribeUntold()
    const { id } = await actions.subscriptionOf(ann)
    await at.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    const { created, updated } = await eventsAbout(ann)
    expect(paidPlansOf(await at.memberOf(ann))).toEqual([])

    await tell([updated, created].flatMap((event) => event ?? []))

    const [plan, ...more] = paidPlansOf(await at.memberOf(ann))
    expect(more).toEqual([])
    expect(plan).toMatchObject({ active: true, status: 'ACTIVE' })
    expect(plan?.payment?.cancelAtDate).toBe('2026-12-20T17:00:00.000Z')
  })

  it('does not matter when an old change is told after the end', async () => {
    const ann = await subscribeUntold()
    const { id } = await actions.subscriptionOf(ann)
    await at.stripe.subscriptions.update(id, { metadata: { seen: 'yes' } })
    await at.stripe.subscriptions.cancel(id)
    const { created, updated, deleted } = await eventsAbout(ann)

    await tell([created, deleted, updated].flatMap((event) => event ?? []))

    const member = await at.memberOf(ann)
    expect(paidPlansOf(member)).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(member.permissions).toEqual([])
  })

  it('does not matter when the beginning is told again after the end', async () => {
    const ann = await at.members.signUp()
    await at.controls.setWebhooks({ mode: 'on' })
    await at.subscribe(ann, testPrices.monthly)
    await at.stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
    await at.settle()
    const { all } = await eventsAbout(ann)
    // Stripe tells an event again under its own id, and by mistake under another.
    for (const event of all) await actions.deliver({ ...event, id: `${event.id}_again` })
    await at.settle()
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
  })

  it.each([1, 2, 3])('does not matter whatever it is, each told twice: shuffled by %i', async (seed) => {
    const ann = await subscribeUntold()
    const { id } = await actions.subscriptionOf(ann)
    await at.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await at.stripe.subscriptions.update(id, { cancel_at_period_end: false })
    const { all } = await eventsAbout(ann)
    const order = [...all, ...all]
      .map((event, index) => ({ event, rank: ((index * 7_919 * seed) % 104_729) % 31 }))
      .toSorted((one, other) => one.rank - other.rank)

    await at.controls.setWebhooks({ mode: 'on' })
    await Promise.all(order.map(({ event }) => at.controls.resendEvent(event.id)))
    await at.settle()

    const [plan, ...more] = paidPlansOf(await at.memberOf(ann))
    expect(more).toEqual([])
    expect(plan).toMatchObject({ active: true, status: 'ACTIVE', payment: { cancelAtDate: null } })
    expect(plan?.payment?.nextBillingDate).toBe('2026-12-20T17:00:00.000Z')
  })

  it('does not matter when few are told at all', async () => {
    const ann = await subscribeUntold()
    const { created } = await eventsAbout(ann)
    await tell([created].flatMap((event) => event ?? []))
    expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })
})

describe('a job queue that nobody works', () => {
  it('lets every event be taken, without a word to the payment service, and loses none', async () => {
    const at = await useSite({ working: false })
    const actions = createPaymentActions(at)
    const { context } = at.site
    const ann = await at.members.signUp()
    await at.controls.setWebhooks({ mode: 'off' })
    await at.controls.completeCheckout(await at.openCheckout(ann, testPrices.yearly))
    const events = await actions.eventsOf(await actions.customerOf(ann))
    await context.database.transaction(async (tx) => {
      for (let number = 0; number < 300; number += 1) {
        await context.jobs.enqueue(tx, syncCustomer, { customerId: `cus_waiting_${number}` })
      }
    })
    // Met by the first call that is made.
    await at.controls.addFault({ kind: 'server-error' })

    const replies = await Promise.all(events.map((event) => actions.deliver(event)))

    expect(replies.map(({ statusCode }) => statusCode)).toEqual(events.map(() => 200))
    const faults = await fetch(new URL('/stripe/faults', at.stripeUrl))
    expect(await faults.json()).toMatchObject({ faults: [{ kind: 'server-error', times: 1 }] })
    expect(paidPlansOf(await at.memberOf(ann))).toEqual([])

    await useTestApp({ databaseUrl: at.databaseUrl, env: at.env })
    await at.settle()
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })
})

describe('the payment service away while its events are read', () => {
  it('has the reading made when it is back', async () => {
    const at = await useSite()
    const ann = await at.members.signUp()
    const checkout = await at.openCheckout(ann, testPrices.monthly)
    // The SDK tries three times by itself, then the job tries again.
    await at.controls.addFault({ kind: 'server-error', match: 'GET /v1/subscriptions', times: 4 })
    await at.controls.completeCheckout(checkout)
    await vi.waitFor(async () => {
      expect(paidPlansOf(await at.memberOf(ann))).toMatchObject([{ active: true }])
    }, waitOptions)
  })
})

const stateSchema = z.looseObject({ pending: z.number() })

describe('the database away while events arrive', () => {
  it('refuses them for the moment, and all are taken when it is back', async () => {
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
    const state = await fetch(new URL('/stripe/webhooks', at.stripeUrl))
    const { pending } = stateSchema.parse(await state.json())
    await startEmbeddedPostgres({ dataDir, port: postgres.port, settings })

    expect(refusalOf(refused)).toMatchObject({ status: 503, code: 'service-unavailable' })
    expect(pending).toBeGreaterThan(0)
    await vi.waitFor(async () => {
      expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
      expect(paidPlansOf(await actions.memberNow(ben))).toMatchObject([{ active: true, status: 'ACTIVE' }])
      expect(await at.controls.pendingDeliveries()).toBe(0)
    }, waitOptions)
  })
})
