import { describe, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { sellInDashboard } from '#test/payments/almanac.ts'
import { type PaymentActions, paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { testNow, useTestApp } from '#test/test-app.ts'
import { billingSweep } from '../billing.jobs.ts'

const it = paymentTest()
  .extend('ann', { scope: 'file' }, ({ actions }) => actions.subscriber())
  .extend('customerId', { scope: 'file' }, ({ actions, ann }) => actions.customerOf(ann))
  /** Creates an event of a type that requests a sync. */
  .extend('eventFor', { scope: 'file' }, ({ site }) => {
    let eventCount = 0
    return (customer: unknown, changes: object = {}): { id: string; type: string } => {
      eventCount += 1
      const created = Math.floor(site.clock.now().getTime() / 1000)
      const object = { id: 'sub_any', object: 'subscription', customer }
      const event = {
        id: `evt_made_${eventCount}`,
        type: 'customer.subscription.updated',
        object: 'event',
        created,
        data: { object },
        livemode: false,
        ...changes,
      }
      return event
    }
  })
  /** Returns every row that an event could change. */
  .extend('storedState', { scope: 'file' }, ({ db }) => async () => ({
    events: await db.paymentEvent.count(),
    customers: await db.paymentCustomer.findMany({ orderBy: { id: 'asc' } }),
    connections: await db.planConnection.findMany({ orderBy: { id: 'asc' } }),
    jobs: await db.$queryRaw`SELECT count(*) FROM jobs.job WHERE name IN ('billing.sync-customer', 'billing.sync-dispute')`,
  }))
  .extend('customerRow', { scope: 'file' }, ({ db, customerId }) => async () => {
    return await db.paymentCustomer.findUniqueOrThrow({ where: { id: customerId } })
  })

const invalidSignatures: [
  what: string,
  signatureOf: (body: string, sign: PaymentActions['sign']) => string | null,
][] = [
  ['missing', () => null],
  ['empty', () => ''],
  ['not a signature', () => 'please'],
  ['without a timestamp', (body, sign) => sign(body).replace(/^t=\d+,/, '')],
  ['of an unknown scheme', (body, sign) => sign(body).replace('v1=', 'v0=')],
  ['truncated', (body, sign) => sign(body).slice(0, -1)],
  ['of another body', (body, sign) => sign(body.replace('updated', 'deleted'))],
  ['of the same body with an additional space', (body, sign) => sign(`${body} `)],
  ['with another secret', (body, sign) => sign(body, { secret: 'whsec_other' })],
  ['with an empty secret', (body, sign) => sign(body, { secret: '\0' })],
  ['six minutes old', (body, sign) => sign(body, { secondsAgo: 360 })],
  [
    'with an altered timestamp',
    (body, sign) => sign(body, { secondsAgo: 360 }).replace(/\d+/, sign(body).slice(2, 12)),
  ],
]

describe('a webhook event with an invalid signature', () => {
  it.for(invalidSignatures)(
    'is rejected and stores nothing: %s',
    async ([_name, signatureOf], { actions, customerId, eventFor, storedState }) => {
      const body = JSON.stringify(eventFor(customerId))
      const before = await storedState()
      const signature = signatureOf(body, actions.sign)
      const reply = await actions.post(body, signature === null ? {} : { 'stripe-signature': signature })
      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-signature' })
      expect(await storedState()).toEqual(before)
    },
  )
})

describe('a webhook event with a valid signature', () => {
  it('is accepted up to five minutes after signing', async ({ payments, actions, customerId, eventFor }) => {
    const body = JSON.stringify(eventFor(customerId))
    const reply = await actions.post(body, { 'stripe-signature': actions.sign(body, { secondsAgo: 299 }) })
    expect(reply.statusCode).toBe(200)
    await payments.settle()
  })

  it('is accepted when one of several signatures is valid, as during a secret rotation', async ({
    payments,
    actions,
    customerId,
    eventFor,
  }) => {
    const body = JSON.stringify(eventFor(customerId))
    const [time, good] = actions.sign(body).split(',')
    const [, other] = actions.sign(body, { secret: 'whsec_former' }).split(',')
    const reply = await actions.post(body, { 'stripe-signature': `${time},${other},${good}` })
    expect(reply.statusCode).toBe(200)
    await payments.settle()
  })
})

const eventLike = {
  id: 'evt_like',
  type: 'invoice.paid',
  created: 1,
  data: { object: { object: 'invoice', customer: null } },
}

describe('an unreadable webhook body', () => {
  it.for([
    ['empty', ''],
    ['not JSON', 'updated'],
    ['truncated', '{"id":"evt_1","type":'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['without an object', '{"id":"evt_1","type":"invoice.paid","created":1,"data":{}}'],
    ['with a null object', '{"id":"evt_1","type":"invoice.paid","created":1,"data":{"object":null}}'],
    ['a number for an id', '{"id":1,"type":"invoice.paid","created":1,"data":{"object":{}}}'],
    ['an id that is too long', JSON.stringify({ ...eventLike, id: 'e'.repeat(300) })],
    ['a type that is too long', JSON.stringify({ ...eventLike, type: 't'.repeat(300) })],
    ['a null character', JSON.stringify({ ...eventLike, id: 'evt_\0' })],
    ['a timestamp out of range', JSON.stringify({ ...eventLike, created: 1e18 })],
  ] as const)(
    'is rejected despite a valid signature: %s',
    async ([_name, body], { actions, storedState }) => {
      const before = await storedState()
      const reply = await actions.post(body, { 'stripe-signature': actions.sign(body) })
      expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'unreadable-event' })
      expect(await storedState()).toEqual(before)
    },
  )

  it('is logged with its reason, as is an invalid signature', async ({ payments, actions }) => {
    const log = createCapturedLog()
    const { app } = await useTestApp({
      databaseUrl: payments.databaseUrl,
      env: payments.env,
      overrides: { logger: log.logger },
    })
    const body = JSON.stringify({ ...eventLike, id: 7 })
    for (const secret of [payments.webhookSecret, 'whsec_other']) {
      const headers = { 'stripe-signature': actions.sign(body, { secret }) }
      await app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload: body })
    }
    const logged = log.entries().filter(({ msg }) => msg.startsWith('webhook'))
    expect(logged.map(({ level, reason }) => [level, reason])).toEqual([
      [40, 'id: invalid_type'],
      [40, 'signature mismatch'],
    ])
    expect(log.lines.join()).not.toMatch(/evt_|invoice\.paid|whsec_/)
  })

  it('is rejected when it is too large', async ({ actions }) => {
    const body = JSON.stringify({ ...eventLike, padding: 'x'.repeat(1_000_000) })
    const reply = await actions.post(body, { 'stripe-signature': actions.sign(body) })
    expect(refusalOf(reply)).toMatchObject({ status: 413, code: 'payload-too-large' })
  })

  it.for([
    ['number', 7],
    ['nothing', null],
    ['list', ['cus_1']],
    ['long', 'c'.repeat(300)],
    ['odd', 'cus_\0'],
  ] as const)(
    'is accepted and ignored when its customer is invalid: %s',
    async ([_name, customer], { actions, eventFor, storedState }) => {
      const before = await storedState()
      const reply = await actions.deliver(eventFor(customer))
      expect(reply.statusCode).toBe(200)
      expect(await storedState()).toEqual({ ...before, events: before.events + 1 })
    },
  )

  it('is parsed with any content type', async ({ payments, actions, customerId, eventFor }) => {
    const event = eventFor(customerId)
    const body = JSON.stringify(event)
    const headers = { 'stripe-signature': actions.sign(body), 'content-type': 'text/plain' }
    expect((await actions.post(body, headers)).json()).toEqual({ data: { received: true } })
    await payments.settle()
  })
})

describe('a repeated webhook event', () => {
  it('is recognized for 90 days', async ({ payments, actions, site, eventFor }) => {
    const event = eventFor('cus_ofanother')
    await actions.deliver(event)
    const { database, jobs } = site.context
    const sweep = async () => {
      await jobs.enqueue(database.db, billingSweep, {})
      await payments.settle()
    }
    const countStored = () => database.db.paymentEvent.count({ where: { id: event.id } })
    onTestFinished(() => site.clock.moveTo(testNow))
    site.clock.pass(90 * 24 * 3_600_000)
    await sweep()
    expect(await countStored()).toBe(1)
    site.clock.pass(1)
    await sweep()
    expect(await countStored()).toBe(0)
  })

  it('is stored and synced once for many concurrent deliveries', async ({
    payments,
    actions,
    db,
    customerId,
    eventFor,
    customerRow,
  }) => {
    const jobs = () => db.$queryRaw`SELECT count(*)::int FROM jobs.job WHERE name = 'billing.sync-customer'`
    const [before] = z.array(z.object({ count: z.number() })).parse(await jobs())
    const event = eventFor(customerId)
    const replies = await Promise.all(Array.from({ length: 25 }, () => actions.deliver(event)))
    await payments.settle()
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await db.paymentEvent.count({ where: { id: event.id } })).toBe(1)
    expect(await jobs()).toEqual([{ count: (before?.count ?? 0) + 1 }])
    expect(await customerRow()).toMatchObject({ syncRequestedAt: null, leasedUntil: null })
  })

  it('is not synced again', async ({ payments, actions, customerId, eventFor, customerRow }) => {
    const event = eventFor(customerId)
    await actions.deliver(event)
    await payments.settle()
    const before = await customerRow()
    await actions.deliver(event)
    expect(await customerRow()).toEqual(before)
  })
})

describe('a webhook event of an unknown customer', () => {
  it('is accepted and changes nothing', async ({ payments, actions, stripe, eventFor, storedState }) => {
    const customer = await stripe.customers.create({ email: 'stranger@example.com' })
    await payments.settle()
    const before = await storedState()
    const reply = await actions.deliver(eventFor(customer.id))
    expect(reply.json()).toEqual({ data: { received: true } })
    expect(await storedState()).toEqual({ ...before, events: before.events + 1 })
  })

  it('activates no plan for a paid subscription', async ({ payments, stripe, db, ann }) => {
    const { id: customer } = await stripe.customers.create({ email: ann.email })
    const sold = await db.stripePrice.findFirstOrThrow({ where: { priceId: testPrices.yearly } })
    await sellInDashboard(stripe, customer, sold.id)
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann)).map(({ planId }) => planId)).toEqual([
      'pln_monthly-4f8t2c6hz9',
    ])
  })
})

describe('a webhook event that changes no plan', () => {
  it.for(['customer.created', 'invoice.upcoming', 'payment_intent.succeeded', 'unheard.of'])(
    'is stored without a sync: %s',
    async (type, { actions, customerId, eventFor, customerRow }) => {
      const before = await customerRow()
      const reply = await actions.deliver(eventFor(customerId, { type }))
      expect(reply.statusCode).toBe(200)
      expect(await customerRow()).toEqual(before)
    },
  )
})
