import type { InjectOptions } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { onlyBy, readableBy } from '#test/origins.ts'

const envOrigin = 'https://shop.example.com'
const configuredOrigin = 'https://blog.example.com:8443'
const siteOrigin = 'https://news.example.com'
const otherAppOrigin = 'https://other.example.com'
const foreign = 'https://evil.example'
const json = { 'content-type': 'application/json' }
const it = siteTest({
  env: { SITE_URL: siteOrigin, ALLOWED_ORIGINS: envOrigin, RATE_LOGINS_PER_MINUTE: '1' },
})
  .extend('ann', { scope: 'file' }, ({ members }) => members.signUp())
  .extend('visitor', { scope: 'file' }, ({ members }): Record<string, string> => members.visitor)
  .extend(
    'preflight',
    { scope: 'file' },
    ({ site }) =>
      async (url: string, origin: string, method: string, headers: string) => {
        return await site.app.inject({
          method: 'OPTIONS',
          url,
          headers: {
            origin,
            'access-control-request-method': method,
            'access-control-request-headers': headers,
          },
        })
      },
  )
it.beforeAll(async ({ site }) => {
  await changeApp(site, { allowedOrigins: [configuredOrigin] })
  await addApp(site, { id: 'app_other', publicKey: 'pk_other', allowedOrigins: [otherAppOrigin] })
})

function listOf(header: unknown): string[] {
  return String(header)
    .split(',')
    .map((part) => part.trim().toLowerCase())
}

describe('a preflight request', () => {
  it.for([envOrigin, configuredOrigin, siteOrigin, otherAppOrigin])(
    'is accepted from %s for every membership path',
    async (origin, { preflight }) => {
      for (const url of ['/member', '/auth/login', '/app', '/nowhere', '/comments/posts/cmt_1/vote']) {
        const reply = await preflight(url, origin, 'POST', 'authorization,x-api-key')
        expect([reply.statusCode, reply.body]).toEqual([204, ''])
        expect(readableBy(reply)).toEqual(onlyBy(origin))
        expect(reply.headers.vary).toBe('Origin')
      }
    },
  )

  it.for(['GET', 'POST', 'PATCH', 'DELETE', 'PUT'])('allows the method %s', async (method, { preflight }) => {
    const reply = await preflight('/member', envOrigin, method, '')
    expect(listOf(reply.headers['access-control-allow-methods'])).toContain(method.toLowerCase())
  })

  it.for([
    'authorization',
    'content-type',
    'X-API-Key',
    'X-APP-ID',
    'X-API-Version',
    'X-User-Agent',
    'X-Session-ID',
    'referring-path',
  ])('allows the header %s', async (header, { preflight }) => {
    const reply = await preflight('/member', envOrigin, 'POST', header)
    expect(listOf(reply.headers['access-control-allow-headers'])).toContain(header.toLowerCase())
  })

  it('contains no wildcards, which are invalid with credentials', async ({ preflight }) => {
    const reply = await preflight('/member', envOrigin, 'POST', 'x-anything')
    expect(JSON.stringify(reply.headers)).not.toContain('*')
  })

  it.for([
    foreign,
    'null',
    'https://shop.example.com.evil.example',
    'https://evil-shop.example.com',
    'http://shop.example.com',
    'https://shop.example.com:444',
    'https://SHOP.example.com',
    'https://shop.example.com/',
    'https://blog.example.com',
    'undefined',
    '*',
  ])('is rejected from %s without CORS headers', async (origin, { preflight }) => {
    const reply = await preflight('/member', origin, 'POST', 'authorization')
    expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'domain-not-permitted' })
    expect(readableBy(reply)).toEqual(onlyBy())
    expect(reply.headers['access-control-allow-methods']).toBeUndefined()
  })
})

type Callers = { visitor: Record<string, string>; ann: TestMember }

/** A call for each kind of response: its name, status and request. */
const responses: [string, number, (callers: Callers) => InjectOptions][] = [
  ['a success', 200, ({ visitor }) => ({ url: '/app', headers: visitor })],
  ['a member', 200, ({ ann }) => ({ url: '/member', headers: ann.headers })],
  [
    'an invalid JSON body',
    400,
    ({ visitor }) => ({
      method: 'POST',
      url: '/auth/login',
      headers: { ...visitor, ...json },
      payload: '{"email": ',
    }),
  ],
  [
    'a body that lacks a field',
    400,
    ({ visitor }) => ({
      method: 'POST',
      url: '/auth/login',
      headers: { ...visitor, ...json },
      payload: '{}',
    }),
  ],
  ['an undecodable URL', 400, ({ visitor }) => ({ url: '/member/%zz', headers: visitor })],
  [
    'a URL that is too long',
    400,
    ({ visitor }) => ({ url: `/app/plans/${'x'.repeat(300)}`, headers: visitor }),
  ],
  ['a call without a login', 401, ({ visitor }) => ({ url: '/member/json', headers: visitor })],
  [
    'an invalid token',
    401,
    ({ visitor }) => ({ url: '/member/json', headers: { ...visitor, authorization: 'Bearer x' } }),
  ],
  ['an unknown path', 404, ({ visitor }) => ({ url: '/member/team/members', headers: visitor })],
  ['an unknown key', 404, () => ({ url: '/member', headers: { 'x-api-key': 'pk_unknown' } })],
  ['an unknown plan', 404, ({ visitor }) => ({ url: '/app/plans/pln_none', headers: visitor })],
  [
    'a body that is too large',
    413,
    ({ visitor }) => ({
      method: 'POST',
      url: '/auth/login',
      headers: { ...visitor, ...json },
      payload: JSON.stringify({ email: 'x'.repeat(300_000) }),
    }),
  ],
  [
    'plain text',
    415,
    ({ visitor }) => ({
      method: 'POST',
      url: '/auth/login',
      headers: { ...visitor, 'content-type': 'text/plain' },
      payload: '{}',
    }),
  ],
]

describe('a membership response', () => {
  it.for(responses)(
    'for %s (%i) is readable only from allowed origins',
    async ([_name, status, make], { site, visitor, ann }) => {
      for (const origin of [envOrigin, configuredOrigin, siteOrigin]) {
        const reply = await site.app.inject(from(origin, make({ visitor, ann })))
        expect(reply.statusCode, reply.body).toBe(status)
        expect(readableBy(reply)).toEqual(onlyBy(origin))
        expect(listOf(reply.headers['access-control-expose-headers'])).toContain('retry-after')
        expect(reply.headers.vary).toBe('Origin')
      }
      for (const origin of [foreign, 'null']) {
        const reply = await site.app.inject(from(origin, make({ visitor, ann })))
        expect(readableBy(reply)).toEqual(onlyBy())
        expect(reply.statusCode).toBeGreaterThanOrEqual(400)
        expect(reply.headers.vary).toBe('Origin')
      }
    },
  )

  it('to a rate-limited call (429) exposes Retry-After to pages', async ({ site, visitor }) => {
    const login = {
      method: 'POST',
      url: '/auth/login',
      payload: { email: 'unknown@example.com', password: 'a-password' },
    } as const
    const replies = []
    for (let tries = 0; tries < 2; tries += 1) {
      replies.push(await site.app.inject(from(envOrigin, { ...login, headers: visitor })))
    }
    const last = replies.at(-1) ?? replies[0]
    if (last === undefined) throw new Error('There was no response')
    expect(refusalOf(last)).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect(readableBy(last)).toEqual(onlyBy(envOrigin))
  })

  it('to a page that uses the key of another app is an unreadable error', async ({ site, visitor }) => {
    for (const [origin, key] of [
      [otherAppOrigin, visitor['x-api-key']],
      [envOrigin, 'pk_other'],
      [siteOrigin, 'pk_other'],
    ] as const) {
      const reply = await site.app.inject({ url: '/app', headers: { origin, 'x-api-key': key } })
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'domain-not-permitted' })
      expect(readableBy(reply)).toEqual(onlyBy())
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('without an origin has no CORS headers and varies by origin', async ({ site, visitor }) => {
    const reply = await site.app.inject({ url: '/app', headers: visitor })
    expect(reply.statusCode).toBe(200)
    expect(readableBy(reply)).toEqual(onlyBy())
    expect(reply.headers.vary).toBe('Origin')
  })

  it('applies configuration changes at once', async ({ site, visitor }) => {
    const call = from('https://new.example.com', { url: '/app', headers: visitor })
    expect((await site.app.inject(call)).statusCode).toBe(403)
    await changeApp(site, { allowedOrigins: [configuredOrigin, 'https://new.example.com'] })
    expect(readableBy(await site.app.inject(call))).toEqual(onlyBy('https://new.example.com'))
    await changeApp(site, { allowedOrigins: [configuredOrigin] })
    expect((await site.app.inject(call)).statusCode).toBe(403)
  })
})

function from(origin: string, options: InjectOptions): InjectOptions {
  return { ...options, headers: { ...options.headers, origin } }
}
