import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Emulator, startEmulator, testNow } from '../testing/start-emulator.ts'
import { startWebhookReceiver } from '../testing/webhook-receiver.ts'
import { stripeAdmin } from './client.ts'

const day = 86_400

const secret = 'whsec_of_the_tests'

let dataDir: string

let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>

let emulator: Emulator

function start() {
  return startEmulator({ dataDir, webhookUrl: receiver.url, webhookSecret: secret })
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stripe-'))
  receiver = await startWebhookReceiver({ secret, now: testNow })
  emulator = await start()
})

afterEach(async () => {
  await Promise.all([emulator.stop(), receiver.stop()])
  await rm(dataDir, { recursive: true })
})

async function subscribe(payment_method = 'pm_card_visa') {
  const { stripe } = emulator
  const product = await stripe.products.create({ name: 'Monthly' })
  const recurring = { interval: 'month' } as const
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 500,
    recurring,
  })
  const customer = await stripe.customers.create({ payment_method })
  const [card] = (await stripe.paymentMethods.list({ customer: customer.id })).data
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: card?.id ?? '',
  })
}

describe('the time', () => {
  test('can be moved, and what falls due happens, with good signatures and over a restart', async () => {
    const { id } = await subscribe()
    await stripeAdmin(emulator.url).advanceTime(32 * day)
    const renewed = await receiver.waitFor(
      ({ type, data }) =>
        type === 'invoice.paid' &&
        'billing_reason' in data.object &&
        data.object.billing_reason === 'subscription_cycle',
    )
    expect(renewed.created).toBeGreaterThan(testNow().getTime() / 1000 + 27 * day)
    await emulator.stop()
    emulator = await start()
    expect((await emulator.stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
    const later = await emulator.stripe.customers.create({ name: 'Later' })
    expect(later.created).toBe(testNow().getTime() / 1000 + 32 * day)
  })

  test('goes forward only', async () => {
    await expect(stripeAdmin(emulator.url).advanceTime(-1)).rejects.toThrow('400')
  })
})

describe('what was answered', () => {
  test('is on disk already, should nothing be stopped in order', async () => {
    const { id } = await emulator.stripe.customers.create({ name: 'Kept' })
    const next = await start()
    try {
      expect(await next.stripe.customers.retrieve(id)).toMatchObject({ name: 'Kept' })
    } finally {
      await next.stop()
    }
  })
})

describe('a call that is refused', () => {
  test('leaves nothing behind, and tells of nothing', async () => {
    const { stripe } = emulator
    const { id: product } = await stripe.products.create({ name: 'First' })
    const common = { product, currency: 'usd', unit_amount: 1, lookup_key: 'mine' } as const
    await stripe.prices.create(common)
    await expect(stripe.prices.create(common)).rejects.toMatchObject({ param: 'lookup_key' })
    expect((await stripe.prices.list({ product })).data).toHaveLength(1)
    await stripe.products.create({ name: 'Last' })
    await receiver.waitFor(({ data }) => 'name' in data.object && data.object.name === 'Last')
    expect(receiver.events.map(({ type }) => type)).toEqual([
      'product.created',
      'price.created',
      'product.created',
    ])
  })

  test('for its card leaves what was tried', async () => {
    const { stripe } = emulator
    const { id, customer } = await subscribe('pm_card_chargeCustomerFail')
    const [invoice] = (await stripe.invoices.list({ subscription: id })).data
    const paying = stripe.invoices.pay(invoice?.id ?? '')
    await expect(paying).rejects.toMatchObject({ type: 'StripeCardError', code: 'card_declined' })
    const charges = await stripe.charges.list({ customer: String(customer) })
    expect(charges.data.map(({ status }) => status)).toEqual(['failed', 'failed'])
    await receiver.waitUntil((events) => events.filter(({ type }) => type === 'charge.failed').length === 2)
  })
})
