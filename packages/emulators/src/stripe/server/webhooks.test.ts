import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import { createPrices, giveCard } from '../testing/billing.ts'
import { type Emulator, startEmulator, testNow } from '../testing/start-emulator.ts'
import { startWebhookReceiver } from '../testing/webhook-receiver.ts'

const secret = 'whsec_of_the_tests'
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let emulator: Emulator
let admin: StripeAdmin

beforeEach(async () => {
  receiver = await startWebhookReceiver({ secret, now: testNow })
  emulator = await startWithWebhooks()
  admin = stripeAdmin(emulator.url)
})
afterEach(() => Promise.all([emulator.stop(), receiver.stop()]))

function startWithWebhooks(options: Parameters<typeof startEmulator>[0] = {}) {
  const webhookRetryDelaysMs = [10, 20]
  return startEmulator({ webhookUrl: receiver.url, webhookSecret: secret, webhookRetryDelaysMs, ...options })
}

function customerNamed(name: string) {
  return emulator.stripe.customers.create({ name })
}

/** Returns the customer names of the received events. */
function names() {
  return receiver.events.map(({ data }) => ('name' in data.object ? data.object.name : undefined))
}

function arrivalOf(name: string) {
  return receiver.waitFor(({ data }) => 'name' in data.object && data.object.name === name)
}

describe('an event', () => {
  test('is signed, and names the object and the call that created it', async () => {
    const customer = await customerNamed('Ann')
    const event = await arrivalOf('Ann')
    expect(event).toMatchObject({
      object: 'event',
      type: 'customer.created',
      api_version: '2026-10-28.endive',
      livemode: false,
      created: Math.floor(testNow().getTime() / 1000),
    })
    expect(event.data.object).toMatchObject({ id: customer.id, object: 'customer' })
    expect(event.request?.id).toBe(customer.lastResponse.requestId)
    expect(event.request?.idempotency_key).toMatch(/^stripe-node-retry-/)
  })

  test('contains the former values of a change', async () => {
    const customer = await emulator.stripe.customers.create({ name: 'Ann', metadata: { one: '1', two: '2' } })
    await emulator.stripe.customers.update(customer.id, { name: 'Anna', metadata: { one: '', three: '3' } })
    const event = await arrivalOf('Anna')
    expect(event.type).toBe('customer.updated')
    expect(event.data.previous_attributes).toEqual({ name: 'Ann', metadata: { one: '1', three: null } })
  })

  test('is retried until it is accepted', async () => {
    receiver.refuse(3)
    await customerNamed('Prudence')
    await arrivalOf('Prudence')
    expect(receiver.refused()).toBe(3)
  })

  test('can be listed by type', async () => {
    const customer = await customerNamed('Listed')
    const { data } = await emulator.stripe.events.list({ type: 'customer.created', limit: 1 })
    expect(data[0]?.data.object).toMatchObject({ id: customer.id })
    expect((await emulator.stripe.events.list({ type: 'coupon.created' })).data).toEqual([])
  })

  test('can be sent again', async () => {
    await customerNamed('Twice')
    const { id } = await arrivalOf('Twice')
    await admin.resendEvent(id)
    await receiver.waitUntil((events) => events.filter((event) => event.id === id).length === 2)
  })

  test('that is unknown cannot be sent again', async () => {
    await expect(admin.resendEvent('evt_none')).rejects.toThrow('404')
  })
})

describe('webhook settings', () => {
  test('deliver held events later and drop events while off', async () => {
    await admin.setWebhooks({ mode: 'hold' })
    await customerNamed('Held')
    expect(await admin.deliveries()).toMatchObject({ pending: 1, total: 1 })
    await admin.setWebhooks({ mode: 'off' })
    await customerNamed('Unheard')
    await admin.setWebhooks({ mode: 'on' })
    await customerNamed('Heard')
    await arrivalOf('Held')
    await arrivalOf('Heard')
    expect(names()).not.toContain('Unheard')
  })

  test('can drop all events', async () => {
    await admin.setWebhooks({ chaos: { loss: 1 } })
    await customerNamed('Lost')
    expect(await admin.deliveries()).toMatchObject({ pending: 0, total: 0 })
    await admin.setWebhooks({ chaos: {} })
    await customerNamed('Found')
    await arrivalOf('Found')
    expect(names()).toEqual(['Found'])
  })

  test('can deliver every event twice', async () => {
    await admin.setWebhooks({ chaos: { duplication: 1 } })
    await customerNamed('Double')
    await receiver.waitUntil((events) => events.length === 2)
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1)
  })

  test('can reorder events', async () => {
    const { stripe } = emulator
    const { monthly } = await createPrices(stripe)
    const customer = await customerNamed('Mixed up')
    await giveCard(stripe, customer.id, 'pm_card_visa')
    await receiver.waitUntil((events) => events.some(({ type }) => type === 'customer.updated'))
    const before = receiver.events.length
    // Held events are sent together, so that only the random order decides.
    await admin.setWebhooks({ mode: 'hold', chaos: { reordering: 0.5, seed: 7 } })
    const items = [{ price: monthly.id }]
    const { lastResponse } = await stripe.subscriptions.create({ customer: customer.id, items })
    await admin.setWebhooks({ mode: 'on' })
    const { data } = await stripe.events.list({ limit: 100 })
    const caused = data.filter(({ request }) => request?.id === lastResponse.requestId)
    const sent = caused.map(({ id }) => id).reverse()
    await receiver.waitUntil((events) => events.length === before + sent.length)
    const received = receiver.events.slice(before).map(({ id }) => id)
    expect(received).not.toEqual(sent)
    expect(new Set(received)).toEqual(new Set(sent))
  })
})

describe('a restart', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'stripe-'))
  })
  afterEach(async () => {
    await emulator.stop()
    await rm(dataDir, { recursive: true })
  })

  test('keeps objects, idempotent responses and undelivered events', async () => {
    await emulator.stop()
    emulator = await startWithWebhooks({ dataDir, webhookRetryDelaysMs: [60_000] })
    receiver.refuse(1)
    const params = { name: 'Survivor', metadata: { memberId: '1' } }
    const customer = await emulator.stripe.customers.create(params, { idempotencyKey: 'survivor' })
    await expect.poll(() => receiver.refused()).toBe(1)
    await emulator.stop()
    const aMinuteLater = () => new Date(testNow().getTime() + 60_000)
    emulator = await startWithWebhooks({ dataDir, now: aMinuteLater })
    const found = await emulator.stripe.customers.retrieve(customer.id)
    expect(found).toMatchObject({ name: 'Survivor', metadata: { memberId: '1' } })
    const again = await emulator.stripe.customers.create(params, { idempotencyKey: 'survivor' })
    expect(again.id).toBe(customer.id)
    await arrivalOf('Survivor')
  })
})
