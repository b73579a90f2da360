import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCatalog } from '../testing/billing.ts'
import { type Emulator, refusal, startEmulator, testNow } from '../testing/start-emulator.ts'

let emulator: Emulator

let failures: unknown[]

let isBroken: boolean

/** The clock that everything asks, which fails like a mistake in the stand-in would. */
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

describe('a failure of the stand-in itself', () => {
  test('is told of, and its call may be tried again under the same key', async () => {
    const { stripe } = emulator
    const create = () => stripe.customers.create({ name: 'Ann' }, { idempotencyKey: 'again' })
    isBroken = true
    expect(await refusal(create())).toMatchObject({ statusCode: 500, type: 'StripeAPIError' })
    expect(failures).toEqual(broken)
    isBroken = false
    expect(await create()).toMatchObject({ name: 'Ann' })
    expect((await stripe.customers.list()).data).toHaveLength(1)
  })

  test('is told of when a page fails, or a control', async () => {
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

  test('is not what a refusal is, nor a request that cannot be read', async () => {
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

  test('in what falls due by itself is told of, and the rest goes on', async () => {
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

  test('is thrown when the tests that saw it nowhere else stop the stand-in', async () => {
    const own = await startEmulator({ now })
    isBroken = true
    await refusal(own.stripe.customers.create())
    isBroken = false
    await expect(own.stop()).rejects.toMatchObject({ errors: broken })
  })
})
