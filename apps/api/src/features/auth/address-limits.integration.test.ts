import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createTestMembers, type TestMembers } from '#test/membership.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

/** What is limited for each IP address: a try from there, the setting, and its default in a minute. */
const limited = {
  logins: {
    setting: 'RATE_LOGINS_PER_MINUTE',
    usual: 60,
    url: '/auth/login',
    body: (email: string) => ({ email, password: 'a-wrong-guess' }),
  },
  'sign-ups': {
    setting: 'RATE_SIGNUPS_PER_MINUTE',
    usual: 30,
    url: '/auth/signup',
    body: (email: string) => ({ email, password: 'a-long-password' }),
  },
  'reset mails': {
    setting: 'RATE_CODES_PER_MINUTE',
    usual: 30,
    url: '/auth/send-reset-password-email',
    body: (email: string) => ({ email }),
  },
  'login mails': {
    setting: 'RATE_CODES_PER_MINUTE',
    usual: 30,
    url: '/auth/passwordless/login/send',
    body: (email: string) => ({ email }),
  },
  'tries of reset codes': {
    setting: 'RATE_CODE_TRIES_PER_MINUTE',
    usual: 30,
    url: '/auth/reset-password',
    body: (email: string) => ({ email, token: '123456', newPassword: 'a-long-password' }),
  },
  'tries of login codes': {
    setting: 'RATE_CODE_TRIES_PER_MINUTE',
    usual: 30,
    url: '/auth/passwordless/login',
    body: (email: string) => ({ email, passwordlessToken: '123456' }),
  },
  'tries of verification codes': {
    setting: 'RATE_CODE_TRIES_PER_MINUTE',
    usual: 30,
    url: '/auth/verify-email',
    body: (email: string) => ({ email, code: '123456' }),
  },
} as const
const names = Object.keys(limited).filter((name): name is keyof typeof limited => name in limited)
const settings = names.map((name) => limited[name].setting)

async function startLimited(value: (setting: string) => string) {
  const env = Object.fromEntries(settings.map((setting) => [setting, value(setting)]))
  const site = await startTestApp({ databaseUrl: await createTestDatabase(), env, working: false })
  return { site, members: createTestMembers(site) }
}

/** Tries so often from one IP address, about another account each time. */
function tryOften(members: TestMembers, name: keyof typeof limited, times: number, from: string) {
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

describe('what an IP address may do in a minute', () => {
  let site: TestApp
  let members: TestMembers
  beforeAll(async () => {
    ;({ site, members } = await startLimited(() => ''))
  })
  afterAll(() => site.close())

  it.each(names)('without settings, of %s', async (name) => {
    const from = `10.9.${names.indexOf(name)}.1`
    const { usual } = limited[name]
    expect(refusedAmong(await tryOften(members, name, usual, from))).toEqual([])
    const refused = await tryOften(members, name, 2, from)
    for (const reply of refused) {
      expect(refusalOf(reply)).toMatchObject({ status: 429, code: 'too-many-requests' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
    expect(refusedAmong(await tryOften(members, name, 1, `10.9.${names.indexOf(name)}.2`))).toEqual([])
  })
})

describe('a limit that is set', () => {
  let site: TestApp
  let members: TestMembers
  beforeAll(async () => {
    ;({ site, members } = await startLimited(() => '3'))
  })
  afterAll(() => site.close())

  it.each(names)('holds for %s, and a network of IPv6 counts as one address', async (name) => {
    const network = `2001:db8:${names.indexOf(name)}:1`
    const replies = await Promise.all(
      ['::1', '::2', ':a:b:c:d', ':1:2:3:4', '::5'].map((host) =>
        tryOften(members, name, 1, `${network}${host}`),
      ),
    )
    expect(refusedAmong(replies.flat())).toHaveLength(2)
    const next = `2001:db8:${names.indexOf(name)}:2::1`
    expect(refusedAmong(await tryOften(members, name, 1, next))).toEqual([])
  })

  it('is not got round with a header that names another address', async () => {
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

  it('counts refusals of malformed requests to nobody', async () => {
    for (let index = 0; index < 5; index += 1) {
      await members.call('POST', '/auth/login', {
        body: { email: 'none', password: 'x' },
        from: '10.201.0.1',
      })
    }
    expect(refusedAmong(await tryOften(members, 'logins', 3, '10.201.0.1'))).toEqual([])
  })

  it('shows on the page of a mailed link too, with the time to wait', async () => {
    const press = () =>
      site.app.inject({
        method: 'POST',
        url: '/auth/verify-email/confirm',
        remoteAddress: '10.202.0.1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: `app=${site.context.config.site.appId}&email=a%40example.com&code=123456`,
      })
    for (let index = 0; index < 3; index += 1) expect((await press()).statusCode).toBe(400)
    const page = await press()
    expect(page.statusCode).toBe(429)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toMatch(/Too many attempts\. Please try again in (\d0 seconds|a minute)\./)
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
  })
})
