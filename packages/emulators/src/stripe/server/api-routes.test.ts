import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type StripeAdmin, stripeAdmin } from '../admin/client.ts'
import type { Expansions } from '../endpoints/expansions.ts'
import { createStore } from '../store/create-store.ts'
import { type Emulator, refusal, startEmulator, stripeAt } from '../testing/start-emulator.ts'
import { expand } from './expand.ts'

let emulator: Emulator
let admin: StripeAdmin

beforeAll(async () => {
  emulator = await startEmulator()
  admin = stripeAdmin(emulator.url)
})
afterAll(() => emulator.stop())

async function raw(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string } = {},
) {
  const headers = { authorization: 'Bearer sk_test_tidings_local', ...options.headers }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await fetch(emulator.url + path, {
    method,
    headers: options.body === undefined ? headers : { ...form, ...headers },
    ...(options.body === undefined ? {} : { body: options.body }),
  })
  return { status: reply.status, headers: reply.headers, body: JSON.parse(await reply.text()) }
}

describe('a call of the API', () => {
  test('returns its request id and the requested version', async () => {
    const { headers } = await raw('GET', '/v1/customers', {
      headers: { 'stripe-version': '2026-10-28.endive' },
    })
    expect(headers.get('request-id')).toMatch(/^req_\w{14}$/)
    expect(headers.get('stripe-version')).toBe('2026-10-28.endive')
  })

  test('is rejected without a key or with an unknown one', async () => {
    const { status, body } = await raw('GET', '/v1/customers', { headers: { authorization: '' } })
    expect(status).toBe(401)
    expect(body.error.type).toBe('invalid_request_error')
    for (const key of ['sk_live_never', 'sk_test_never', 'rk_test_tidings_local']) {
      const stranger = stripeAt(emulator.url, key)
      expect(await refusal(stranger.customers.list())).toMatchObject({ type: 'StripeAuthenticationError' })
    }
  })

  test('only sees objects of its key’s account and mode', async () => {
    const keys = ['sk_test_other', 'rk_test_other', 'sk_live_other']
    for (const key of keys) await admin.addKey(key)
    const [test, restricted, live] = keys.map((key) => stripeAt(emulator.url, key))
    const accounts = await Promise.all(
      [emulator.stripe, test, restricted, live].map((stripe) => stripe?.accounts.retrieveCurrent()),
    )
    const [own, ...others] = accounts.map((account) => account?.id)
    expect(new Set(others).size).toBe(1)
    expect(others).not.toContain(own)

    const made = await live?.customers.create({ email: 'ann@example.com' }, { idempotencyKey: 'one' })
    expect(made?.livemode).toBe(true)
    const { id } = await emulator.stripe.customers.create(
      { email: 'bea@example.com' },
      { idempotencyKey: 'one' },
    )
    const { data } = (await test?.customers.list()) ?? {}
    expect(data).toEqual([])
    expect(await refusal(restricted?.customers.retrieve(id) ?? Promise.resolve())).toMatchObject({
      code: 'resource_missing',
    })
  })

  test('accepts the key as a user name, as curl sends it', async () => {
    const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}` })
    expect((await raw('GET', '/v1/customers', { headers: basic('sk_test_tidings_local') })).status).toBe(200)
    expect((await raw('GET', '/v1/customers', { headers: basic('sk_live_never') })).status).toBe(401)
    expect((await raw('GET', '/v1/customers', { headers: basic('') })).status).toBe(401)
  })

  test('to an unknown address gets 404', async () => {
    const error = await refusal(emulator.stripe.rawRequest('GET', '/v1/newspapers'))
    expect(error).toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' })
    expect(error).toHaveProperty('message', expect.stringContaining('(GET: /v1/newspapers)'))
  })
})

describe('parameters', () => {
  const cases = [
    ['emial=ann@example.com', 'parameter_unknown', 'emial', 'Received unknown parameter: emial'],
    [
      'invoice_settings[footer]=x',
      'parameter_unknown',
      'invoice_settings',
      'Received unknown parameter: invoice_settings',
    ],
    ['one=1&two=2', 'parameter_unknown', 'one', 'Received unknown parameters: one, two'],
    ['email=nobody', 'email_invalid', 'email', 'Invalid email address: nobody'],
    ['balance=much', 'parameter_invalid_integer', 'balance', 'Invalid integer: much'],
    ['metadata=flat', undefined, 'metadata', 'Invalid object'],
    [
      'test_clock=',
      'parameter_invalid_empty',
      'test_clock',
      expect.stringContaining("an empty string for 'test_clock'"),
    ],
    ['test_clock=clock_none', 'resource_missing', 'test_clock', "No such test clock: 'clock_none'"],
  ] as const

  test.each(cases)('%s is rejected as at Stripe', async (body, code, param, message) => {
    const reply = await raw('POST', '/v1/customers', { body })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', param, message })
    expect(reply.body.error.code).toBe(code)
  })

  test('a missing required parameter is named', async () => {
    const { status, body } = await raw('POST', '/v1/products', { body: '' })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'parameter_missing', param: 'name' })
  })
})

describe('lists', () => {
  test('can be paged', async () => {
    const { stripe } = emulator
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: 1_800_000_000 })
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await stripe.customers.create({ name, test_clock: clock.id })
    const first = await stripe.customers.list({ test_clock: clock.id, limit: 2 })
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/customers' })
    const names: (string | null | undefined)[] = []
    for await (const { name } of stripe.customers.list({ test_clock: clock.id, limit: 2 })) names.push(name)
    expect(names).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  test('reject an unknown cursor', async () => {
    const error = await refusal(emulator.stripe.customers.list({ starting_after: 'cus_none' }))
    expect(error).toMatchObject({ code: 'resource_missing', param: 'starting_after' })
  })
})

describe('expand', () => {
  test('replaces ids by objects, in lists too', async () => {
    const { stripe } = emulator
    const product = await stripe.products.create({ name: 'Expanded' })
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'eur',
      unit_amount: 700,
      expand: ['product'],
    })
    expect(price.product).toMatchObject({ id: product.id, name: 'Expanded' })
    const { data } = await stripe.prices.list({ product: product.id, expand: ['data.product'] })
    expect(data[0]?.product).toMatchObject({ name: 'Expanded' })
  })

  test.each(['email', 'nothing', 'a.b.c.d.e'])('%s cannot be expanded', async (path) => {
    const customer = await emulator.stripe.customers.create({ email: 'ann@example.com' })
    const error = await refusal(emulator.stripe.customers.retrieve(customer.id, { expand: [path] }))
    expect(error).toMatchObject({ statusCode: 400, param: 'expand' })
  })
})

describe('an invalid expand parameter', () => {
  test.each([
    ['a text', 'expand=email'],
    ['a list of objects', 'expand[0][path]=email'],
    ['an empty path', 'expand[]='],
  ])('is rejected: %s', async (_what, query) => {
    const { id } = await emulator.stripe.customers.create()
    const { status, body } = await raw('GET', `/v1/customers/${id}?${query}`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      param: expect.stringMatching(/^expand/),
    })
  })
})

describe('idempotency keys', () => {
  test('run the same call once and repeat its response', async () => {
    const { stripe } = emulator
    const params = { email: 'once@example.com' }
    const first = await stripe.customers.create(params, { idempotencyKey: 'once' })
    const second = await stripe.customers.create(params, { idempotencyKey: 'once' })
    expect(second.id).toBe(first.id)
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect((await stripe.customers.list(params)).data).toHaveLength(1)
  })

  test('reject another call under the same key', async () => {
    const { stripe } = emulator
    await stripe.customers.create({ email: 'first@example.com' }, { idempotencyKey: 'taken' })
    const other = stripe.customers.create({ email: 'other@example.com' }, { idempotencyKey: 'taken' })
    expect(await refusal(other)).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' })
  })

  test('allow a corrected call after an invalid parameter', async () => {
    const { stripe } = emulator
    await refusal(stripe.customers.create({ email: 'wrong' }, { idempotencyKey: 'mended' }))
    const customer = await stripe.customers.create(
      { email: 'right@example.com' },
      { idempotencyKey: 'mended' },
    )
    expect(customer.email).toBe('right@example.com')
  })

  test('reject a second call while the first one runs', async () => {
    const { stripe } = emulator
    const params = { email: 'slow@example.com' }
    await admin.addFault({ kind: 'slow', match: 'POST /v1/customers', delayMs: 400 })
    const calls = [1, 2].map(() => stripe.customers.create(params, { idempotencyKey: 'slow' }))
    const outcomes = await Promise.allSettled(calls)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatchObject({ reason: { statusCode: 409, code: 'idempotency_key_in_use' } })
    expect((await stripe.customers.list(params)).data).toHaveLength(1)
  })
})

const store = createStore({ now: () => new Date('2026-11-20T18:00:00Z') })

const known: Expansions = {
  objects: {
    one_: (_store, id) => ({ id, object: 'one', next: 'two_1' }),
    two_: (_store, id) => (id === 'two_gone' ? undefined : { id, object: 'two', next: null, free: 'ANY' }),
    free: (_store, id) => ({ id, object: 'free' }),
  },
  included: { 'two.more': (_store, { id }) => ({ object: 'list', data: [`one_of_${id}`] }) },
}

function expanded(object: Record<string, unknown>, ...paths: string[]) {
  return expand(store, object, paths, known)
}

describe('expand', () => {
  test('leaves other fields unchanged', () => {
    expect(expanded({ id: 'x', next: 'one_1', other: 'one_2' }, 'next')).toEqual({
      id: 'x',
      next: { id: 'one_1', object: 'one', next: 'two_1' },
      other: 'one_2',
    })
  })

  test('expands within expanded objects, along several paths', () => {
    const answer = expanded({ next: 'one_1' }, 'next.next.free', 'next.next.more.data')
    expect(answer).toMatchObject({
      next: {
        next: {
          free: { id: 'ANY', object: 'free' },
          more: { data: [{ object: 'one', id: 'one_of_two_1' }] },
        },
      },
    })
  })

  test('expands entries of lists', () => {
    const list = { object: 'list', data: [{ next: 'one_1' }, { next: 'two_1' }, { next: null }] }
    expect(expanded(list, 'data.next')).toMatchObject({
      data: [{ next: { object: 'one' } }, { next: { object: 'two' } }, { next: null }],
    })
  })

  test('does not count the list as a level', () => {
    const list = { object: 'list', data: [{ a: { b: { c: { d: 'one_1' } } } }] }
    expect(expanded(list, 'data.a.b.c.d')).toMatchObject({
      data: [{ a: { b: { c: { d: { object: 'one' } } } } }],
    })
    expect(() => expanded(list, 'data.a.b.c.d.next')).toThrow('more than 4 levels')
  })

  test.each(['name', 'nothing', 'next.nothing', 'gone'])('%s cannot be expanded', (path) => {
    const object = { object: 'x', name: 'Ann', next: 'one_1', gone: 'two_gone' }
    expect(() => expanded(object, path)).toThrow(`This property cannot be expanded (${path}).`)
  })
})
