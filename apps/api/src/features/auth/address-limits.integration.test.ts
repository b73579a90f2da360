import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { readSettings } from '#config/env.ts'
import { refusalOf } from '#test/desk.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMembers } from '#test/membership.ts'

/** Requests limited per IP address: an example, the setting, and its default per minute. */
const limited = {
  logins: {
    setting: 'RATE_LOGINS_PER_MINUTE',
    limit: 'logins',
    perMinute: 60,
    url: '/auth/login',
    body: (email: string) => ({ email, password: 'a-wrong-guess' }),
  },
  'sign-ups': {
    setting: 'RATE_SIGNUPS_PER_MINUTE',
    limit: 'signups',
    perMinute: 30,
    url: '/auth/signup',
    body: (email: string) => ({ email, password: 'a-long-password' }),
  },
  'reset emails': {
    setting: 'RATE_CODES_PER_MINUTE',
    limit: 'codes',
    perMinute: 30,
    url: '/auth/send-reset-password-email',
    body: (email: string) => ({ email }),
  },
  'login emails': {
    setting: 'RATE_CODES_PER_MINUTE',
    limit: 'codes',
    perMinute: 30,
    url: '/auth/passwordless/login/send',
    body: (email: string) => ({ email }),
  },
  'reset code guesses': {
    setting: 'RATE_CODE_TRIES_PER_MINUTE',
    limit: 'codeTries',
    perMinute: 30,
    url: '/auth/reset-password',
    body: (email: string) => ({ email, token: '123456', newPassword: 'a-long-password' }),
  },
  'login code guesses': {
    setting: 'RATE_CODE_TRIES_PER_MINUTE',
    limit: 'codeTries',
    perMinute: 30,
    url: '/auth/passwordless/login',
    body: (email: string) => ({ email, passwordlessToken: '123456' }),
  },
  'verification code guesses': {
    setting: 'RATE_CODE_TRIES_PER_MINUTE',
    limit: 'codeTries',
    perMinute: 30,
    url: '/auth/verify-email',
    body: (email: string) => ({ email, code: '123456' }),
  },
} as const
const names = Object.keys(limited).filter((name): name is keyof typeof limited => name in limited)
const it = siteTest({ working: false })

/** Sends `times` requests from one IP address, each for another account. */
function sendMany(
  members: TestMembers,
  { name, times, from }: { name: keyof typeof limited; times: number; from: string },
) {
  const { url, body } = limited[name]
  const email = (index: number) =>
    `${name.replaceAll(' ', '-')}-${index}-${from.replaceAll(':', '-')}@example.com`
  return Promise.all(
    Array.from({ length: times }, (_, index) =>
      members.call('POST', url, { body: body(email(index)), from }),
    ),
  )
}

function refusedAmong(replies: LightMyRequestResponse[]): LightMyRequestResponse[] {
  return replies.filter(({ statusCode }) => statusCode === 429)
}

it.for(names)('the number of %s per IP address and minute has a setting and a default', (name) => {
  const { setting, limit, perMinute } = limited[name]
  const pointsOf = (value: string) =>
    readSettings({ NODE_ENV: 'test', [setting]: value }).rateLimits[limit].points
  expect([pointsOf(''), pointsOf('3')]).toEqual([perMinute, 3])
})

describe('a rate limit', () => {
  it.beforeEach(({ site }) => {
    for (const name of names) site.limitCalls(limited[name].limit, 3)
  })

  it.for(names)('applies to %s per IP address and minute', async (name, { members }) => {
    const from = `10.9.${names.indexOf(name)}.1`
    expect(refusedAmong(await sendMany(members, { name, times: 3, from }))).toEqual([])
    for (const reply of await sendMany(members, { name, times: 2, from })) {
      expect(refusalOf(reply)).toMatchObject({ status: 429, code: 'too-many-requests' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
    const other = `10.9.${names.indexOf(name)}.2`
    expect(refusedAmong(await sendMany(members, { name, times: 1, from: other }))).toEqual([])
  })

  it.for(names)('counts an IPv6 network of %s as one address', async (name, { members }) => {
    const network = `2001:db8:${names.indexOf(name)}:1`
    const replies = await Promise.all(
      ['::1', '::2', ':a:b:c:d', ':1:2:3:4', '::5'].map((host) =>
        sendMany(members, { name, times: 1, from: `${network}${host}` }),
      ),
    )
    expect(refusedAmong(replies.flat())).toHaveLength(2)
    const next = `2001:db8:${names.indexOf(name)}:2::1`
    expect(refusedAmong(await sendMany(members, { name, times: 1, from: next }))).toEqual([])
  })

  it('ignores forwarding headers', async ({ members }) => {
    const statuses: number[] = []
    for (let index = 0; index < 5; index += 1) {
      const reply = await members.call('POST', '/auth/login', {
        headers: {
          ...members.visitor,
          'x-forwarded-for': `10.3.3.${index}`,
          'x-real-ip': `10.3.3.${index}`,
          forwarded: `for=10.3.3.${index}`,
        },
        body: { email: `${index}@example.com`, password: 'a-wrong-guess' },
        from: '10.200.0.1',
      })
      statuses.push(reply.statusCode)
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })

  it('does not count malformed requests', async ({ members }) => {
    for (let index = 0; index < 5; index += 1) {
      await members.call('POST', '/auth/login', {
        body: { email: 'none', password: 'x' },
        from: '10.201.0.1',
      })
    }
    expect(refusedAmong(await sendMany(members, { name: 'logins', times: 3, from: '10.201.0.1' }))).toEqual(
      [],
    )
  })

  it('is shown on the page of an emailed link with the time to wait', async ({ site }) => {
    const submit = () =>
      site.app.inject({
        method: 'POST',
        url: '/auth/verify-email/confirm',
        remoteAddress: '10.202.0.1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `app=${site.context.config.site.appId}&email=a%40example.com&code=123456`,
      })
    for (let index = 0; index < 3; index += 1) expect((await submit()).statusCode).toBe(400)
    const page = await submit()
    expect(page.statusCode).toBe(429)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toMatch(/Too many attempts\. Try again in (\d0 seconds|a minute)\./)
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
  })
})
