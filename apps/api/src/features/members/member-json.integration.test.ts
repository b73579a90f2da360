import { limits } from '@tidings/contracts/limits'
import { memberJsonReply } from '@tidings/contracts/membership/members'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'

const it = siteTest()
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())

  /** Sends a raw body, without a JSON serializer. */
  .extend(
    'post',
    { scope: 'file' },
    ({ site, ann }) =>
      async (url: string, payload: string): Promise<LightMyRequestResponse> => {
        const headers = { ...ann.headers, 'content-type': 'application/json' }
        return await site.app.inject({ method: 'POST', url, headers, payload })
      },
  )
  .extend(
    'store',
    { scope: 'file' },
    ({ post }) =>
      async (json: unknown): Promise<LightMyRequestResponse> => {
        return await post('/member/json', JSON.stringify({ json }))
      },
  )
  .extend('read', { scope: 'file' }, ({ members, ann }) => async (): Promise<unknown> => {
    const reply = await members.call('GET', '/member/json', { headers: ann.headers })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    return memberJsonReply.strict().parse(reply.json()).data
  })

it.afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

/** Returns a text whose JSON has exactly this many bytes. */
function textOf(bytes: number): string {
  return 'é'.repeat(1) + 'x'.repeat(bytes - 4)
}

describe('POST /member/json', () => {
  it('starts empty and is replaced as a whole', async ({ members, ann, store, read }) => {
    const bea = await members.signUp()
    const reply = await members.call('GET', '/member/json', { headers: bea.headers })
    expect(reply.json()).toEqual({ data: {} })
    await store({ a: 1, b: { c: 2 } })
    expect(await read()).toEqual({ a: 1, b: { c: 2 } })
    await store({ b: { d: 3 } })
    expect(await read()).toEqual({ b: { d: 3 } })
    const member = await members.call('GET', '/member', { headers: ann.headers })
    expect(member.json().data.json).toEqual({ b: { d: 3 } })
  })

  it.for([
    ['a list', [1, 'a', null], [1, 'a', null]],
    ['a number', 4.5, 4.5],
    ['a text', 'plain', 'plain'],
    ['false', false, false],
    ['null, which empties it', null, {}],
    ['NUL and half a surrogate pair', { 'a\0': 'b\0\udc00' }, { a: 'b\ufffd' }],
    ['keys of every kind', { '': 1, 'a.b': 2, $ne: 3 }, { '': 1, 'a.b': 2, $ne: 3 }],
  ] as const)('accepts %s', async ([_what, sent, stored], { store, read }) => {
    const reply = await store(sent)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: stored })
    expect(await read()).toEqual(stored)
  })

  it('accepts the maximum size and refuses one byte more', async ({ store, read }) => {
    expect((await store(textOf(limits.memberJsonBytes))).statusCode).toBe(200)
    expect(refusalOf(await store(textOf(limits.memberJsonBytes + 1)))).toMatchObject({
      status: 413,
      code: 'payload-too-large',
      message: "'json' can have at most 100,000 bytes of JSON.",
    })
    expect(await read()).toBe(textOf(limits.memberJsonBytes))
  })

  it('rejects a body without `json` and keeps the stored JSON', async ({ post, store, read }) => {
    await store({ kept: true })
    for (const body of ['{}', '']) {
      expect(refusalOf(await post('/member/json', body))).toMatchObject({
        status: 400,
        code: 'required-field-missing',
      })
    }
    expect(await read()).toEqual({ kept: true })
  })

  it.for([
    ['5 MB', JSON.stringify({ json: 'x'.repeat(5_000_000) }), 413],
    ['20,000 brackets', `{"json":${nested(20_000)}}`, 400],
    ['brackets that never close', `{"json":${'['.repeat(100_000)}`, 400],
    ['invalid JSON', '{"json":', 400],
    ['a prototype', '{"json":{"__proto__":{"polluted":1}}}', 400],
    ['a nested prototype', '{"json":[{"a":{"__proto__":{"polluted":1}}}]}', 400],
    ['an escaped prototype', '{"json":{"\\u005f_proto__":{"polluted":1}}}', 400],
    ['a constructor with a prototype', '{"json":{"constructor":{"prototype":{"polluted":1}}}}', 400],
    ['a prototype beside the JSON', '{"__proto__":{"polluted":1},"json":{}}', 400],
  ] as const)(
    'rejects %s and keeps the stored JSON',
    async ([_what, payload, status], { post, store, read }) => {
      await store({ kept: true })
      expect(refusalOf(await post('/member/json', payload)).status).toBe(status)
      expect(await read()).toEqual({ kept: true })
    },
  )

  it.for([
    ['a key that becomes __proto__ without its NUL', '{"\\u0000__proto__":{"polluted":1},"a":1}'],
    ['a key with a NUL inside __proto__', '{"a":1,"__pro\\u0000to__":{"polluted":1}}'],
    ['a constructor', '{"constructor":{"polluted":1},"a":1}'],
    ['a constructor whose prototype has a NUL', '{"constructor":{"prototype\\u0000":{"polluted":1}},"a":1}'],
  ] as const)('leaves out %s', async ([_what, json], { members, ann, post }) => {
    const reply = await post('/member/json', `{"json":${json}}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe('{"data":{"a":1}}')
    expect((await members.call('GET', '/member/json', { headers: ann.headers })).body).toBe(
      '{"data":{"a":1}}',
    )
  })

  it.for(['GET', 'POST'] as const)('%s needs a session', async (method, { members }) => {
    const body = method === 'POST' ? { body: { json: {} } } : {}
    expect(refusalOf(await members.call(method, '/member/json', body))).toMatchObject({
      status: 401,
      code: 'login-required',
    })
  })
})

describe('POST /member', () => {
  it.for([
    ['a prototype', '{"customFields":{"__proto__":{"polluted":1},"name":"P"}}'],
    ['a constructor', '{"customFields":{"constructor":{"prototype":{"polluted":1}},"name":"P"}}'],
    ['a prototype of the body', '{"__proto__":{"customFields":{"name":"P"}}}'],
  ] as const)('refuses %s', async ([_what, payload], { post }) => {
    expect(refusalOf(await post('/member', payload))).toMatchObject({ status: 400, code: 'invalid-request' })
  })

  it.for([
    ['a constructor', '{"customFields":{"constructor":1,"prototype":2,"toString":3}}'],
    ['a key that is nearly a prototype', '{"customFields":{"\\u0000__proto__":{"polluted":1}}}'],
    ['20,000 brackets under an unknown key', `{"customFields":{"x":${nested(20_000)}}}`],
  ] as const)('ignores %s', async ([_what, payload], { post }) => {
    const reply = await post('/member', payload)
    expect(reply.statusCode).toBe(200)
    expect(reply.json().data.customFields).toEqual({})
  })

  it('refuses 20,000 brackets for a field', async ({ post }) => {
    const reply = await post('/member', `{"customFields":{"name":${nested(20_000)}}}`)
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-request' })
  })
})
