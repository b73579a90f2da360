import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import { createCatalog } from '../testing/billing.ts'
import { type Emulator, refusal, startEmulator, testNow } from '../testing/start-emulator.ts'

describe('faults', () => {
  let emulator: Emulator
  let admin: StripeAdmin

  beforeAll(async () => {
    emulator = await startEmulator()
    admin = stripeAdmin(emulator.url)
  })
  afterAll(() => emulator.stop())

  // The SDK retries once when a connection is closed.
  test.each([
    ['server-error', 1, { statusCode: 500, type: 'StripeAPIError' }],
    ['timeout-before', 1, { type: 'StripeConnectionError' }],
    ['reset', 2, { type: 'StripeConnectionError' }],
  ] as const)('%s changes nothing and ends after its count', async (kind, times, error) => {
    const { customers } = emulator.stripe
    const params = { email: `${kind}@example.com` }
    await admin.addFault({ kind, match: 'POST /v1/customers', times })
    expect(await refusal(customers.create(params, { timeout: 300 }))).toMatchObject(error)
    expect((await customers.list(params)).data).toHaveLength(0)
    await customers.create(params)
  })

  test('only matching calls fail', async () => {
    await admin.addFault({ kind: 'rate-limit', match: 'POST /v1/coupons' })
    await emulator.stripe.customers.list()
    const error = await refusal(emulator.stripe.coupons.create({ percent_off: 10 }))
    expect(error).toMatchObject({ statusCode: 429, type: 'StripeRateLimitError' })
  })

  test('only calls that contain a text in their address or body fail', async () => {
    const { stripe } = emulator
    const [one, other] = [await stripe.customers.create(), await stripe.customers.create()]
    await admin.addFault({ kind: 'rate-limit', about: one.id, times: 2 })
    await stripe.subscriptions.list({ customer: other.id })
    await stripe.customers.update(other.id, { name: 'Other' })
    const limited = { statusCode: 429 }
    expect(await refusal(stripe.subscriptions.list({ customer: one.id }))).toMatchObject(limited)
    const attaching = stripe.paymentMethods.attach('pm_card_visa', { customer: one.id })
    expect(await refusal(attaching)).toMatchObject(limited)
    await stripe.customers.retrieve(one.id)
  })

  test.each([
    ['slow', 'call runs', 'After'],
    ['late', 'response shows the state before the delay', 'Before'],
  ] as const)('a %s %s once it is released', async (kind, _what, name) => {
    const { stripe } = emulator
    const { id } = await stripe.customers.create({ name: 'Before' })
    await admin.addFault({ kind, match: `GET /v1/customers/${id}` })
    const held = stripe.customers.retrieve(id)
    await vi.waitFor(async () => expect(await admin.countFaults()).toBe(0))
    await stripe.customers.update(id, { name: 'After' })
    await admin.releaseCalls()
    expect(await held).toMatchObject({ name })
  })

  test('a dropped response leaves the call done, and the same key returns it', async () => {
    const { stripe } = emulator
    const params = { email: 'lost@example.com' }
    await admin.addFault({ kind: 'timeout-after', match: 'POST /v1/customers' })
    const lost = stripe.customers.create(params, { idempotencyKey: 'lost', timeout: 300 })
    expect(await refusal(lost)).toMatchObject({ type: 'StripeConnectionError' })
    expect((await stripe.customers.list(params)).data).toHaveLength(1)
    const again = await stripe.customers.create(params, { idempotencyKey: 'lost' })
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  })

  test('pending faults can be listed and cleared', async () => {
    await admin.addFault({ kind: 'server-error', match: '/v1/nothing-else' })
    const list = async () => JSON.parse(await (await fetch(`${emulator.url}/stripe/faults`)).text()).faults
    expect(await list()).toEqual([{ kind: 'server-error', match: '/v1/nothing-else', about: '', times: 1 }])
    await admin.clearFaults()
    expect(await list()).toEqual([])
  })

  test('an unknown kind is rejected', async () => {
    const reply = await fetch(`${emulator.url}/stripe/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"kind":"flood"}',
    })
    expect(reply.status).toBe(400)
  })
})

describe('failures of the emulator', () => {
  let emulator: Emulator
  let failures: unknown[]
  let isBroken: boolean

  /** The emulator's clock, which can throw an unexpected error. */
  function now() {
    if (isBroken) throw new TypeError('The clock is broken.')
    return testNow()
  }

  beforeEach(async () => {
    failures = []
    isBroken = false
    emulator = await startEmulator({ now, onFailure: (error) => failures.push(error) })
  })
  afterEach(() => emulator.stop())

  const broken = [new TypeError('The clock is broken.')]

  describe('an unexpected error', () => {
    test('is reported, and the same key can try again', async () => {
      const { stripe } = emulator
      const create = () => stripe.customers.create({ name: 'Ann' }, { idempotencyKey: 'again' })
      isBroken = true
      expect(await refusal(create())).toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
      expect(failures).toEqual(broken)
      isBroken = false
      expect(await create()).toMatchObject({ name: 'Ann' })
      expect((await stripe.customers.list()).data).toHaveLength(1)
    })

    test('is reported for pages and admin calls', async () => {
      const { stripe, url } = emulator
      const { customer, monthly } = await createCatalog(stripe)
      const { id: configuration } = await stripe.billingPortal.configurations.create({ features: {} })
      const portal = await stripe.billingPortal.sessions.create({ customer: customer.id, configuration })
      const checkout = await stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: customer.id,
        line_items: [{ price: monthly.id, quantity: 1 }],
        success_url: 'https://news.example.com/welcome',
      })
      isBroken = true
      for (const page of [portal.url, checkout.url ?? '']) expect((await fetch(page)).status).toBe(500)
      const headers = { 'content-type': 'application/json' }
      const moving = { method: 'POST', headers, body: '{"advanceSeconds":1}' }
      expect((await fetch(`${url}/stripe/time`, moving)).status).toBe(500)
      expect(failures).toEqual([...broken, ...broken, ...broken])
    })

    test('is not reported for rejected or unreadable requests', async () => {
      const headers = { 'content-type': 'application/json' }
      const post = (path: string, body: string) =>
        fetch(emulator.url + path, { method: 'POST', headers, body }).then(({ status }) => status)
      expect(await post('/stripe/time', '{')).toBe(400)
      expect(await post('/stripe/time', '{"advanceSeconds":-1}')).toBe(400)
      expect(await post('/stripe/disputes', '{"charge":"ch_none"}')).toBe(400)
      expect(await post('/stripe/checkout/cs_none/complete', '{}')).toBe(404)
      expect((await refusal(emulator.stripe.customers.retrieve('cus_none'))).statusCode).toBe(404)
      expect(failures).toEqual([])
    })

    test('is reported for scheduled work, which continues', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      try {
        const own = await startEmulator({ now, onFailure: (error) => failures.push(error) })
        isBroken = true
        vi.advanceTimersByTime(2 * 60_000)
        isBroken = false
        expect(failures).toEqual([...broken, ...broken])
        await own.stop()
      } finally {
        vi.useRealTimers()
      }
    })

    test('is thrown when a test stops the emulator', async () => {
      const own = await startEmulator({ now })
      isBroken = true
      await refusal(own.stripe.customers.create())
      isBroken = false
      await expect(own.stop()).rejects.toMatchObject({ errors: broken })
    })
  })
})
