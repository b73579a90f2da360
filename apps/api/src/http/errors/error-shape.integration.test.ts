import { errorReply } from '@tidings/contracts/errors'
import type { InjectOptions } from 'fastify'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { publishedEdition } from '#test/factories/editions.ts'
import { siteTest } from '#test/fixtures.ts'

const key = '11-20-26-10AM'
const uuid = '0199a1f4-1111-7abc-8def-0123456789ab'

/** Values that an attacker or a broken client sends. */
const hostile = [
  "' OR '1'='1",
  "'; DROP TABLE memo; --",
  '1; SELECT pg_sleep(10)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '\u0000',
  'a\u0000b',
  '\r\nSet-Cookie: a=b',
  '{{7*7}}',
  '%s%s%s%n',
  '__proto__',
  'constructor',
  '-1',
  'NaN',
  '1e309',
  'null',
  'ünïcödé 🗞️',
  '\u202e',
  ' ',
  'x'.repeat(190),
]

const parameters: ((value: string) => InjectOptions)[] = [
  (value) => ({ url: `/edition/prod/${value}` }),
  (value) => ({ url: `/edition/prod/11-20-26-${value}` }),
  (value) => ({ url: `/edition/prod/${value}-10AM` }),
  (value) => ({ url: `/edition/prod/get_time_list/${value}` }),
  (value) => ({ url: `/edition/prod/get_gated_list/${value}` }),
  (value) => ({ url: `/media/${value}/10AM/abcdefghijklmnopqrstuvwxyz.jpg` }),
  (value) => ({ url: `/media/11-20-26/${value}/abcdefghijklmnopqrstuvwxyz.jpg` }),
  (value) => ({ url: `/media/11-20-26/10AM/${value}` }),
  (value) => ({ url: `/media/11-20-26/10AM/${value}.jpg` }),
  (value) => ({ url: `/media/11-20-26/10AM/abcdefghijklmnopqrstuvwxyz.jpg?w=${value}` }),
  (value) => ({ url: `/gated/${value}` }),
  (value) => ({ url: `/gated/abcdefghijklmnopqrstuvwxyz.jpg?w=${value}` }),
]

const fields: ((value: unknown) => InjectOptions)[] = [
  (value) => ({ method: 'POST', url: '/gate', payload: { password: value } }),
  (value) => ({ method: 'POST', url: '/cms/auth/protect', payload: { tool: value } }),
  (value) => ({ method: 'POST', url: '/edition/update_counter', payload: { id: value, add: true } }),
  (value) => ({ method: 'POST', url: '/edition/update_counter', payload: { id: uuid, add: value } }),
]
const it = siteTest()
  /** Calls with a gate pass. */
  .extend('call', { scope: 'file' }, ({ site }) => async (options: InjectOptions) => {
    return await site.app.inject({ ...options, headers: { cookie: site.pass, ...options.headers } })
  })

  /** Expects an error in its one shape, without internal details. */
  .extend(
    'expectRefusal',
    { scope: 'file' },
    ({ call }) =>
      (reply: Awaited<ReturnType<typeof call>>, about: string): void => {
        expect(reply.statusCode, about).toBeGreaterThanOrEqual(400)
        expect(reply.statusCode, `${about} ${reply.body}`).toBeLessThan(500)
        const { error } = z.strictObject(errorReply.shape).parse(reply.json())
        expect(error.code).toMatch(/^[a-z]+(-[a-z]+)+$/)
        expect(error.message, about).not.toMatch(/^\s*at |\.ts|node_modules|prisma|select|fst_|undefined/im)
        expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(reply.headers['cache-control']).toBe('no-store')
      },
  )
it.beforeAll(async ({ site }) => {
  await publishedEdition(site.context, key, 1)
})

describe('a hostile value', () => {
  it.for(hostile)('%j in a URL is rejected for every parameter', async (value, { call, expectRefusal }) => {
    for (const make of parameters) {
      const options = make(encodeURIComponent(value))
      expectRefusal(await call(options), String(options.url))
    }
  })

  it.for(hostile)('%j in a body is rejected for every field', async (value, { call, expectRefusal }) => {
    for (const make of fields) expectRefusal(await call(make(value)), JSON.stringify(make(value)))
  })

  it.for([
    [null],
    [0],
    [1.5],
    [[]],
    [['a']],
    [{}],
    [{ $ne: null }],
    [{ toString: 'x' }],
    [''],
    [[[[[1]]]]],
  ] as const)('%j in a body is rejected because of its type', async ([value], { call, expectRefusal }) => {
    for (const make of fields) {
      if (value === '' && make(value).url === '/gate') continue
      const reply = await call(make(value))
      expectRefusal(reply, JSON.stringify(make(value)))
      expect(reply.json().error.code).toBe('invalid-request')
    }
  })

  it('in a header changes nothing', async ({ site, call }) => {
    for (const value of hostile.filter((text) => /^[\x20-\x7e]*$/.test(text))) {
      const reply = await call({
        url: `/edition/prod/${key}`,
        headers: {
          accept: value,
          'accept-encoding': value,
          'if-none-match': value,
          'x-forwarded-for': value,
        },
      })
      expect(reply.statusCode).toBe(200)
      const closed = await site.app.inject({
        url: `/edition/prod/${key}`,
        headers: { cookie: `tidings_gate=${value}; tidings_reader=${value}` },
      })
      expect(closed.statusCode).toBe(401)
    }
  })

  it('in an unknown query parameter is ignored', async ({ call }) => {
    const reply = await call({ url: `/edition/prod/${key}?__proto__[x]=1&constructor=2&a=%00&b=%zz` })
    expect(reply.statusCode).toBe(200)
  })
})

describe('a request body', () => {
  const json = { 'content-type': 'application/json' }

  it.for([
    ['that is not JSON', json, '{"password": ', 400, 'invalid-request'],
    ['that is JSON with trailing text', json, '{"password":"a"} x', 400, 'invalid-request'],
    ['that is empty', json, '', 400, 'invalid-request'],
    ['that is null', json, 'null', 400, 'invalid-request'],
    ['that is an array', json, '[]', 400, 'invalid-request'],
    ['that is a string', json, '"tidings"', 400, 'invalid-request'],
    ['that pollutes prototypes', json, '{"password":"a","__proto__":{"x":1}}', 400, 'invalid-request'],
    [
      'that pollutes constructors',
      json,
      '{"password":"a","constructor":{"prototype":{"x":1}}}',
      400,
      'invalid-request',
    ],
    ['that is nested too deeply', json, '['.repeat(100_000), 400, 'invalid-request'],
    ['that is too large', json, JSON.stringify({ password: 'x'.repeat(256_000) }), 413, 'payload-too-large'],
    [
      'of a form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'password=tidings',
      415,
      'unsupported-media-type',
    ],
    ['of XML', { 'content-type': 'application/xml' }, '<a/>', 415, 'unsupported-media-type'],
    ['of an invalid type', { 'content-type': 'nonsense' }, 'x', 415, 'unsupported-media-type'],
    [
      'of plain text',
      { 'content-type': 'text/plain' },
      '{"password":"tidings"}',
      415,
      'unsupported-media-type',
    ],
    [
      'of several parts',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x--',
      415,
      'unsupported-media-type',
    ],
  ] as const)('%s is rejected', async ([_name, headers, payload, status, code], { call, expectRefusal }) => {
    for (const url of ['/gate', '/cms/auth/protect', '/edition/update_counter']) {
      const reply = await call({ method: 'POST', url, headers, payload })
      expectRefusal(reply, url)
      expect([reply.statusCode, reply.json().error.code], url).toEqual([status, code])
    }
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  it('that is missing is rejected', async ({ call, expectRefusal }) => {
    const reply = await call({ method: 'POST', url: '/gate' })
    expectRefusal(reply, 'no body')
    expect(reply.json().error.code).toBe('invalid-request')
  })
})

describe('a URL', () => {
  it.for([
    ['with a broken escape', '/edition/prod/%zz'],
    ['with half an escape', '/edition/prod/%e'],
    ['with an escape that is not UTF-8', '/edition/prod/%c3%28'],
    ['with a broken escape in an unknown path', '/%zz'],
    ['with a segment that is too long', `/edition/prod/${'x'.repeat(201)}`],
    ['with a segment that is far too long', `/gated/${'x'.repeat(8_000)}`],
  ] as const)('%s is rejected', async ([_name, url], { call, expectRefusal }) => {
    const reply = await call({ url })
    expectRefusal(reply, url.slice(0, 80))
    expect(reply.json().error.code).toBe('invalid-request')
  })
})
