import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions, paidPlansOf } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { testNow, useTestApp } from '#test/test-app.ts'
import { billingSweep } from '../billing.jobs.ts'

let at: PaymentSite
let actions: PaymentActions
let ann: TestMember
let customerId: string
beforeAll(async () => {
  at = await startPaymentSite()
  actions = createPaymentActions(at)
  ann = await at.members.signUp()
  await at.subscribe(ann, testPrices.monthly)
  customerId = await actions.customerOf(ann)
})
afterAll(() => at.close())

let made = 0

/** An event of a kind that asks for a reading. */
function eventFor(customer: unknown, changes: object = {}): { id: string; type: string } {
  made += 1
  const created = Math.floor(at.site.clock.now().getTime() / 1000)
  const object = { id: 'sub_any', object: 'subscription', customer }
  return {
    id: `evt_made_${made}`,
    type: 'customer.subscription.updated',
    ...{ object: 'event', created, data: { object }, livemode: false },
    ...changes,
  }
}

/** Everything that an event could leave behind. */
async function traces() {
  const { db } = at.site.context.database
  return {
    events: await db.paymentEvent.count(),
    customers: await db.paymentCustomer.findMany({ orderBy: { id: 'asc' } }),
    connections: await db.planConnection.findMany({ orderBy: { id: 'asc' } }),
    jobs: await db.$queryRaw`SELECT count(*) FROM jobs.job WHERE name IN ('billing.sync-customer', 'billing.sync-dispute')`,
  }
}

async function customerRow(id = customerId) {
  return await at.site.context.database.db.paymentCustomer.findUniqueOrThrow({ where: { id } })
}

describe('an event whose signature is not good', () => {
  it.each([
    ['missing', () => ({})],
    ['empty', () => ({ 'stripe-signature': '' })],
    ['no signature at all', () => ({ 'stripe-signature': 'please' })],
    ['without a time', (body: string) => ({ 'stripe-signature': actions.sign(body).replace(/^t=\d+,/, '') })],
    [
      'of an unknown scheme',
      (body: string) => ({ 'stripe-signature': actions.sign(body).replace('v1=', 'v0=') }),
    ],
    ['cut short', (body: string) => ({ 'stripe-signature': actions.sign(body).slice(0, -1) })],
    [
      'of another body',
      (body: string) => ({ 'stripe-signature': actions.sign(body.replace('updated', 'deleted')) }),
    ],
    [
      'of the same body with a space more',
      (body: string) => ({ 'stripe-signature': actions.sign(`${body} `) }),
    ],
    [
      'under another secret',
      (body: string) => ({ 'stripe-signature': actions.sign(body, { secret: 'whsec_other' }) }),
    ],
    [
      'under an empty secret',
      (body: string) => ({ 'stripe-signature': actions.sign(body, { secret: '\0' }) }),
    ],
    ['six minutes old', (body: string) => ({ 'stripe-signature': actions.sign(body, { secondsAgo: 360 }) })],
    [
      'of an old time, moved to now',
      (body: string) => ({
        'stripe-signature': actions
          .sign(body, { secondsAgo: 360 })
          .replace(/\d+/, actions.sign(body).slice(2, 12)),
      }),
    ],
  ])('is refused and leaves nothing: %s', async (_name, headersFor) => {
    const body = JSON.stringify(eventFor(customerId))
    const before = await traces()
    const reply = await actions.post(body, headersFor(body))
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-signature' })
    expect(await traces()).toEqual(before)
  })
})

describe('an event whose signature is good', () => {
  it('is taken up to five minutes after it was signed', async () => {
    const body = JSON.stringify(eventFor(customerId))
    const reply = await actions.post(body, { 'stripe-signature': actions.sign(body, { secondsAgo: 299 }) })
    expect(reply.statusCode).toBe(200)
    await at.settle()
  })

  it('is taken when one of several signatures is good, as while a secret is changed', async () => {
    const body = JSON.stringify(eventFor(customerId))
    const [time, good] = actions.sign(body).split(',')
    const [, other] = actions.sign(body, { secret: 'whsec_former' }).split(',')
    const reply = await actions.post(body, { 'stripe-signature': `${time},${other},${good}` })
    expect(reply.statusCode).toBe(200)
    await at.settle()
  })
})

describe('an unreadable webhook body', () => {
  it.each([
    ['empty', ''],
    ['no JSON', 'updated'],
    ['cut off', '{"id":"evt_1","type":'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['without an object', '{"id":"evt_1","type":"invoice.paid","created":1,"data":{}}'],
    ['with a null object', '{"id":"evt_1","type":"invoice.paid","created":1,"data":{"object":null}}'],
    ['a number for an id', '{"id":1,"type":"invoice.paid","created":1,"data":{"object":{}}}'],
    ['an id longer than any', JSON.stringify({ ...eventLike, id: 'e'.repeat(300) })],
    ['a type longer than any', JSON.stringify({ ...eventLike, type: 't'.repeat(300) })],
    ['a character that no text has', JSON.stringify({ ...eventLike, id: 'evt_\0' })],
    ['a time that no clock shows', JSON.stringify({ ...eventLike, created: 1e18 })],
  ])('is refused despite a valid signature: %s', async (_name, body) => {
    const before = await traces()
    const reply = await actions.post(body, { 'stripe-signature': actions.sign(body) })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'unreadable-event' })
    expect(await traces()).toEqual(before)
  })

  it('is logged with its reason, as is an invalid signature', async () => {
    const log = createCapturedLog()
    const { app } = await useTestApp({
      databaseUrl: at.databaseUrl,
      env: at.env,
      overrides: { logger: log.logger },
    })
    const body = JSON.stringify({ ...eventLike, id: 7 })
    for (const secret of [at.webhookSecret, 'whsec_other']) {
      const headers = { 'stripe-signature': actions.sign(body, { secret }) }
      await app.inject({ method: 'POST', url: '/webhooks/stripe', headers, payload: body })
    }
    const logged = log.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => String(msg).startsWith('webhook'))
    expect(logged.map(({ level, reason }) => [level, reason])).toEqual([
      [40, 'id: invalid_type'],
      [40, 'signature mismatch'],
    ])
    expect(log.lines.join()).not.toMatch(/evt_|invoice\.paid|whsec_/)
  })

  it('is refused when it is larger than an event can be', async () => {
    const body = JSON.stringify({ ...eventLike, padding: 'x'.repeat(1_000_000) })
    const reply = await actions.post(body, { 'stripe-signature': actions.sign(body) })
    expect(refusalOf(reply)).toMatchObject({ status: 413, code: 'payload-too-large' })
  })

  it.each([
    ['number', 7],
    ['nothing', null],
    ['list', ['cus_1']],
    ['long', 'c'.repeat(300)],
    ['odd', 'cus_\0'],
  ])('is taken and asks for nothing when it names nobody: a %s', async (_name, customer) => {
    const before = await traces()
    const reply = await actions.deliver(eventFor(customer))
    expect(reply.statusCode).toBe(200)
    expect(await traces()).toEqual({ ...before, events: before.events + 1 })
  })

  it('is read whatever its content type says', async () => {
    const event = eventFor(customerId)
    const body = JSON.stringify(event)
    const headers = { 'stripe-signature': actions.sign(body), 'content-type': 'text/plain' }
    expect((await actions.post(body, headers)).json()).toEqual({ data: { received: true } })
    await at.settle()
  })
})

const eventLike = {
  id: 'evt_like',
  type: 'invoice.paid',
  created: 1,
  data: { object: { object: 'invoice', customer: null } },
}

describe('an event that is told again', () => {
  it('is known for three months', async () => {
    const event = eventFor('cus_ofanother')
    await actions.deliver(event)
    const { database, jobs } = at.site.context
    const sweep = async () => {
      await jobs.enqueue(database.db, billingSweep, {})
      await at.settle()
    }
    const known = () => database.db.paymentEvent.count({ where: { id: event.id } })
    onTestFinished(() => at.site.clock.moveTo(testNow))
    at.site.clock.pass(90 * 24 * 3_600_000)
    await sweep()
    expect(await known()).toBe(1)
    at.site.clock.pass(1)
    await sweep()
    expect(await known()).toBe(0)
  })

  it('is noted once and read once, a hundred times at once', async () => {
    const before = await customerRow()
    const event = eventFor(customerId)
    const replies = await Promise.all(Array.from({ length: 100 }, () => actions.deliver(event)))
    await at.settle()
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    expect(await at.site.context.database.db.paymentEvent.count({ where: { id: event.id } })).toBe(1)
    const after = await customerRow()
    expect(after.wanted - before.wanted).toBe(1)
    expect(after.begun - before.begun).toBe(1)
  })

  it('is not read again once it was read', async () => {
    const event = eventFor(customerId)
    await actions.deliver(event)
    await at.settle()
    const before = await customerRow()
    await actions.deliver(event)
    expect(await customerRow()).toEqual(before)
  })
})

describe('an event of somebody else', () => {
  it('is taken, and changes nothing here', async () => {
    const customer = await at.stripe.customers.create({ email: 'stranger@example.com' })
    await at.settle()
    const before = await traces()
    const reply = await actions.deliver(eventFor(customer.id))
    expect(reply.json()).toEqual({ data: { received: true } })
    expect(await traces()).toEqual({ ...before, events: before.events + 1 })
  })

  it('opens no plan here, though it was paid for', async () => {
    const { id: customer } = await at.stripe.customers.create({ email: ann.email })
    const card = await at.stripe.paymentMethods.attach('pm_card_visa', { customer })
    const sold = await at.site.context.database.db.stripePrice.findFirstOrThrow({
      where: { priceId: testPrices.yearly },
    })
    await at.stripe.subscriptions.create({
      customer,
      items: [{ price: sold.id }],
      default_payment_method: card.id,
    })
    await at.settle()
    expect(paidPlansOf(await at.memberOf(ann)).map(({ planId }) => planId)).toEqual([
      'pln_monthly-4f8t2c6hz9',
    ])
  })
})

describe('an event that changes no plan', () => {
  it.each(['customer.updated', 'invoice.upcoming', 'payment_intent.succeeded', 'unheard.of'])(
    'is noted and asks for no reading: %s',
    async (type) => {
      const before = await customerRow()
      const reply = await actions.deliver(eventFor(customerId, { type }))
      expect(reply.statusCode).toBe(200)
      expect(await customerRow()).toEqual(before)
    },
  )
})
