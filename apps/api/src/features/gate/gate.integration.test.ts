import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'
import { describe, expect } from 'vitest'
import { createGatePass, gatePassCookie } from '#http/sessions/gate-pass.ts'
import { randomIds } from '#platform/ids.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { siteTest } from '#test/fixtures.ts'
import { type TestApp, testNow, useTestApp } from '#test/test-app.ts'

const guardedUrl = '/edition/prod/get_list'
const it = siteTest()

async function tryPassword({ app }: Pick<TestApp, 'app'>, password: unknown, remoteAddress = '127.0.0.1') {
  return await app.inject({ method: 'POST', url: '/gate', payload: { password }, remoteAddress })
}

/** Returns the Cookie header for a reply's Set-Cookie. */
function cookieOf(reply: { headers: Record<string, unknown> }): string {
  return String(reply.headers['set-cookie']).split(';')[0] ?? ''
}

describe('POST /gate', () => {
  it('returns a gate pass for the site password', async ({ site }) => {
    const reply = await tryPassword(site, 'tidings')
    const behind = await site.app.inject({ url: guardedUrl, headers: { cookie: cookieOf(reply) } })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: { on: true, passed: true } })
    expect(behind.statusCode).toBe(200)
  })

  it('sets an HttpOnly and SameSite session cookie', async ({ site }) => {
    const reply = await tryPassword(site, 'tidings')
    const attributes = String(reply.headers['set-cookie']).split('; ').slice(1).toSorted()
    expect(attributes).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('sets a Secure cookie on an HTTPS site', async () => {
    const secure = await useTestApp({ env: { SITE_URL: 'https://news.example.com' } })
    const reply = await tryPassword(secure, 'tidings')
    expect(String(reply.headers['set-cookie']).split('; ')).toContain('Secure')
  })

  it.for([
    ['wrong', 401, 'invalid-password', messages.invalidPassword],
    ['TIDINGS', 401, 'invalid-password', messages.invalidPassword],
    ['tidings ', 401, 'invalid-password', messages.invalidPassword],
    ["' OR '1'='1", 401, 'invalid-password', messages.invalidPassword],
    ['<script>alert(1)</script>', 401, 'invalid-password', messages.invalidPassword],
    ['tidings\u0000', 401, 'invalid-password', messages.invalidPassword],
    ['', 400, 'invalid-password', messages.enterPassword],
  ] as const)(
    'refuses %j with the message of the screen',
    async ([password, status, code, message], { site }) => {
      const reply = await tryPassword(site, password)
      expect(reply.statusCode).toBe(status)
      expect(reply.json()).toEqual({ error: { code, message } })
      expect(reply.headers['set-cookie']).toBeUndefined()
    },
  )

  it.for([
    [null],
    [1],
    [true],
    [['tidings']],
    [{ tidings: 1 }],
    ['x'.repeat(limits.sitePasswordCharacters + 1)],
  ] as const)('refuses %j as malformed', async ([password], { site }) => {
    const reply = await tryPassword(site, password)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error.code).toBe('invalid-request')
    expect(reply.json().error.message).toContain('password')
  })

  it('limits tries, even with the right password, and returns Retry-After', async ({ site }) => {
    site.limitCalls('gateTries', 3)
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await tryPassword(site, 'wrong', '192.0.2.1')).statusCode).toBe(401)
    }
    for (const password of ['wrong', 'tidings']) {
      const reply = await tryPassword(site, password, '192.0.2.1')
      expect(reply.statusCode).toBe(429)
      expect(reply.json().error.code).toBe('too-many-requests')
      expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
  })

  it('does not count right passwords', async ({ site }) => {
    site.limitCalls('gateTries', 2)
    for (let tries = 0; tries < 6; tries += 1) {
      expect((await tryPassword(site, 'tidings', '192.0.2.2')).statusCode).toBe(200)
    }
  })

  it('counts tries per IP address', async () => {
    const limited = await useTestApp({ env: { RATE_GATE_TRIES_PER_MINUTE: '1', TRUST_PROXY: 'on' } })
    const statuses: number[] = []
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2', '2001:db8::1', '2001:db8::2']) {
      const reply = await limited.app.inject({
        method: 'POST',
        url: '/gate',
        headers: { 'x-forwarded-for': address },
        payload: { password: 'wrong' },
      })
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([401, 429, 401, 401, 429])
  })

  it('ignores a forwarded address when no proxy is trusted', async ({ site }) => {
    site.limitCalls('gateTries', 1)
    const statuses: number[] = []
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      const reply = await site.app.inject({
        method: 'POST',
        url: '/gate',
        remoteAddress: '192.0.2.3',
        headers: { 'x-forwarded-for': address },
        payload: { password: 'wrong' },
      })
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([401, 429])
  })

  it('rejects every password when none is configured', async () => {
    const unconfigured = await useTestApp({ env: { SITE_PASSWORD: '' } })
    const reply = await tryPassword(unconfigured, 'tidings')
    expect(reply.statusCode).toBe(500)
    expect(reply.json()).toEqual({
      error: { code: 'configuration-error', message: messages.configurationError },
    })
    const behind = await unconfigured.app.inject({ url: guardedUrl, headers: { cookie: unconfigured.pass } })
    expect(behind.statusCode).toBe(401)
  })
})

describe('GET /gate', () => {
  it.for([
    ['without a pass', undefined, false],
    ['with a pass', 'own', true],
    ['with a forged cookie', `${gatePassCookie}=1760000000000_x.c2lnbmF0dXJl`, false],
  ] as const)('returns whether the gate is passed, %s', async ([_name, cookie, passed], { site }) => {
    const header = cookie === 'own' ? site.pass : cookie
    const reply = await site.app.inject({
      url: '/gate',
      headers: header === undefined ? {} : { cookie: header },
    })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ data: { on: true, passed } })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it('reports that the gate is off, with every route open', async () => {
    const open = await useTestApp({ env: { SITE_GATE: 'off' } })
    const state = await open.app.inject('/gate')
    const tried = await tryPassword(open, 'anything')
    const behind = await open.app.inject(guardedUrl)
    expect(state.json()).toEqual({ data: { on: false, passed: true } })
    expect(tried.json()).toEqual({ data: { on: false, passed: true } })
    expect(tried.headers['set-cookie']).toBeUndefined()
    expect(behind.statusCode).toBe(200)
  })
})

describe('a gate pass', () => {
  it.for([
    [29, 200],
    [31, 401],
  ] as const)('issued %s days ago gets %s', async ([days, status], { site }) => {
    const pass = createGatePass({
      on: true,
      password: 'tidings',
      secret: site.context.config.secrets.siteSecret,
      clock: createFixedClock(new Date(testNow.getTime() - days * 24 * 3600 * 1000)),
      ids: randomIds,
    }).issue()
    const reply = await site.app.inject({ url: guardedUrl, headers: { cookie: `${gatePassCookie}=${pass}` } })
    expect(reply.statusCode).toBe(status)
  })

  it('expires after thirty days, even if it was used the day before', async () => {
    const aging = await useTestApp()
    const ask = () => aging.app.inject({ url: guardedUrl, headers: { cookie: aging.pass } })
    aging.clock.moveTo(new Date(testNow.getTime() + 29 * 24 * 3600 * 1000))
    expect((await ask()).statusCode).toBe(200)
    aging.clock.moveTo(new Date(testNow.getTime() + 31 * 24 * 3600 * 1000))
    expect((await ask()).statusCode).toBe(401)
  })

  it.for([
    ['another site', { secret: 'a-secret-of-another-site-that-is-long-enough', password: 'tidings' }],
    ['an earlier password', { secret: undefined, password: 'earlier' }],
  ] as const)('of %s is rejected', async ([_name, { secret, password }], { site }) => {
    const pass = createGatePass({
      on: true,
      password,
      secret: secret ?? site.context.config.secrets.siteSecret,
      clock: site.clock,
      ids: randomIds,
    }).issue()
    const reply = await site.app.inject({ url: guardedUrl, headers: { cookie: `${gatePassCookie}=${pass}` } })
    expect(reply.statusCode).toBe(401)
    expect(reply.json().error.code).toBe('gate-required')
  })
})
