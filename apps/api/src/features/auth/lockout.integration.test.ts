import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { codeKinds, newPassword, otherCode } from '#test/sign-in/code-flows.ts'

const it = mailTest({
  env: {
    RATE_ACCOUNT_TRIES_PER_HOUR: '4',
    RATE_ACCOUNT_TRIES_IN_ALL_PER_HOUR: '8',
    RATE_CODE_TRIES_IN_ALL_PER_HOUR: '20',
  },
})
  .extend(
    'logIn',
    { scope: 'file' },
    ({ flows }) =>
      (email: string, password: string, from: From): Promise<LightMyRequestResponse> => {
        return flows.members.call('POST', '/auth/login', { body: { email, password }, ...from })
      },
  )

  /** Tries twelve wrong passwords from six networks. */
  .extend('spendAccountTries', { scope: 'file' }, ({ logIn }) => async (email: string): Promise<void> => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        logIn(email, 'a-wrong-guess', { from: `198.51.${100 + (index % 6)}.7` }),
      ),
    )
  })

  /** Returns the headers of a browser that stores the reply's cookies. */
  .extend(
    'browserAfter',
    { scope: 'file' },
    ({ flows }) =>
      (reply: LightMyRequestResponse): Record<string, string> => {
        const cookie = reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
        return { ...flows.members.visitor, cookie }
      },
  )

const attacker = '198.51.100.7'
/** The network from which test members sign up. */
const home = '127.0.0.1'
const elsewhere = '203.0.113.9'
const tooMany = { status: 429, code: 'too-many-requests' }

type From = { from?: string; headers?: Record<string, string> }

describe('one network that attacks an account', () => {
  it('does not lock out the member on another network', async ({ flows, inbox, logIn }) => {
    const { email, password } = await flows.memberOf('ann@example.com')
    const own = { from: elsewhere }
    for (let round = 0; round < 7; round += 1) {
      await logIn(email, 'a-wrong-guess', { from: attacker })
      await flows.ask('login', email, { from: attacker })
      await flows.ask('reset', email, { from: attacker })
      await flows.use('login', email, '000000', { from: attacker })
      await flows.use('reset', email, '000000', { from: attacker })
    }
    expect(refusalOf(await logIn(email, 'a-wrong-guess', { from: attacker }))).toMatchObject(tooMany)
    expect((await logIn(email, password, own)).statusCode).toBe(200)
    await flows.mailed()
    for (const purpose of ['login', 'reset'] as const) {
      const { words } = codeKinds[purpose]
      const before = (await inbox.mailsTo(email, words)).length
      await flows.ask(purpose, email, own)
      const code = codeIn(await inbox.mailTo(email, words, before + 1))
      for (let distance = 1; distance <= 6; distance += 1) {
        await flows.use(purpose, email, otherCode(code, distance), { from: attacker })
      }
      expect((await flows.use(purpose, email, code, own)).statusCode, purpose).toBe(200)
    }
  })

  it('does not block sign-ups from other networks', async ({ flows }) => {
    const body = { email: 'newcomer@example.com', password: 'short' }
    await flows.memberOf('taken@example.com')
    for (let round = 0; round < 5; round += 1) {
      const taken = { email: 'taken@example.com', password: 'a-long-password' }
      await flows.members.call('POST', '/auth/signup', { body: taken, from: attacker })
    }
    const again = { ...body, email: 'taken@example.com', password: 'a-long-password' }
    const fromAttacker = await flows.members.call('POST', '/auth/signup', { body: again, from: attacker })
    expect(refusalOf(fromAttacker)).toMatchObject(tooMany)
    const fromElsewhere = await flows.members.call('POST', '/auth/signup', { body: again, from: elsewhere })
    expect(refusalOf(fromElsewhere).code).toBe('email-already-in-use')
  })
})

describe('many networks that guess one password', () => {
  it('share a limit, for an address with or without an account', async ({
    flows,
    logIn,
    spendAccountTries,
  }) => {
    await flows.memberOf('bea@example.com')
    for (const email of ['bea@example.com', 'unknown@example.com']) {
      await spendAccountTries(email)
      expect(refusalOf(await logIn(email, 'a-wrong-guess', { from: elsewhere }))).toMatchObject(tooMany)
    }
  })

  it('do not lock out a network or a browser that has logged in before', async ({
    flows,
    logIn,
    spendAccountTries,
    browserAfter,
  }) => {
    const { email, password } = await flows.memberOf('cy@example.com')
    const browser = browserAfter(await logIn(email, password, { from: '192.0.2.1' }))
    await spendAccountTries(email)
    expect(refusalOf(await logIn(email, password, { from: elsewhere }))).toMatchObject(tooMany)
    expect((await logIn(email, password, { from: home })).statusCode).toBe(200)
    expect((await logIn(email, password, { from: elsewhere, headers: browser })).statusCode).toBe(200)
  })

  it('are not let in by the cookie of a browser that logged in to another account', async ({
    flows,
    logIn,
    spendAccountTries,
    browserAfter,
  }) => {
    const { email, password } = await flows.memberOf('dan@example.com')
    const other = await flows.memberOf('eve@example.com')
    const browser = browserAfter(await logIn(other.email, other.password, { from: '192.0.2.2' }))
    await spendAccountTries(email)
    for (const headers of [browser, { ...browser, cookie: `tidings_browser=${'A'.repeat(43)}` }]) {
      expect(refusalOf(await logIn(email, password, { from: elsewhere, headers }))).toMatchObject(tooMany)
    }
  })

  it('do not lock out a browser that shares its network with one of them', async ({
    flows,
    logIn,
    browserAfter,
  }) => {
    const { email, password } = await flows.memberOf('finn@example.com')
    const browser = browserAfter(await logIn(email, password, { from: '192.0.2.3' }))
    for (let round = 0; round < 6; round += 1) await logIn(email, 'a-wrong-guess', { from: '192.0.2.3' })
    expect(refusalOf(await logIn(email, password, { from: '192.0.2.3' }))).toMatchObject(tooMany)
    expect((await logIn(email, password, { from: '192.0.2.3', headers: browser })).statusCode).toBe(200)
  })

  it('do not lock out a network from which the password was reset', async ({
    flows,
    logIn,
    spendAccountTries,
  }) => {
    const { email } = await flows.memberOf('ida@example.com')
    await spendAccountTries(email)
    const code = await flows.code('reset', email)
    expect((await flows.use('reset', email, code, { from: elsewhere })).statusCode).toBe(200)
    expect((await logIn(email, newPassword, { from: elsewhere })).statusCode).toBe(200)
  })

  it('are not one IPv6 /48, which has at most half of the limit', async ({ flows, logIn }) => {
    const { email, password } = await flows.memberOf('jo@example.com')
    const statuses: number[] = []
    for (let index = 0; index < 10; index += 1) {
      const from = `2001:db8:7:${(index * 0x100).toString(16)}::1`
      statuses.push((await logIn(email, 'a-wrong-guess', { from })).statusCode)
    }
    expect(statuses).toEqual([...Array(4).fill(401), ...Array(6).fill(429)])
    expect((await logIn(email, password, { from: elsewhere })).statusCode).toBe(200)
  })

  it('lock out a network that last logged in more than ninety days ago', async ({
    flows,
    logIn,
    spendAccountTries,
  }) => {
    const { email, password } = await flows.memberOf('gil@example.com')
    flows.pass(91 * 24 * 3600)
    await spendAccountTries(email)
    expect(refusalOf(await logIn(email, password, { from: home }))).toMatchObject(tooMany)
  })
})

describe.each(['login', 'reset'] as const)(
  'many networks that use up the %s emails of an hour',
  (purpose) => {
    it('leave emails for networks that have logged in before', async ({ flows, inbox }) => {
      const { email } = await flows.memberOf(`known-${purpose}@example.com`)
      const { words } = codeKinds[purpose]
      const mailsAfter = async (from: string) => {
        await flows.ask(purpose, email, { from })
        await flows.mailed()
        return (await inbox.mailsTo(email, words)).length
      }
      for (let index = 0; index < 8; index += 1) await mailsAfter(`198.51.${index}.7`)
      const before = (await inbox.mailsTo(email, words)).length
      expect(before).toBe(6)
      expect(await mailsAfter(elsewhere)).toBe(before)
      expect(await mailsAfter(home)).toBe(before + 1)
      const [mail] = await inbox.mailsTo(email, words)
      const code = mail === undefined ? '' : codeIn(mail)
      for (let index = 0; index < 22; index += 1) {
        await flows.use(purpose, email, otherCode(code, index + 1), { from: `198.51.${index}.7` })
      }
      const late = await flows.use(purpose, email, code, { from: elsewhere })
      expect(refusalOf(late).code).toBe(codeKinds[purpose].refusal)
      expect((await flows.use(purpose, email, code, { from: home })).statusCode).toBe(200)
    })

    it('include at most a third from one network', async ({ flows, inbox }) => {
      const { email } = await flows.memberOf(`third-${purpose}@example.com`)
      for (let index = 0; index < 5; index += 1) await flows.ask(purpose, email, { from: attacker })
      await flows.mailed()
      const { words } = codeKinds[purpose]
      const mails = (await inbox.mailsTo(email, words)).length
      expect(mails).toBeLessThanOrEqual(3)
      await flows.ask(purpose, email, { from: elsewhere })
      await flows.mailed()
      expect(await inbox.mailsTo(email, words)).toHaveLength(mails + 1)
    })
  },
)

describe('the browser cookie', () => {
  it('is HttpOnly and opaque, and does not log in', async ({ site, flows, logIn, browserAfter }) => {
    const { email, password } = await flows.memberOf('hal@example.com')
    const reply = await logIn(email, password, { from: home })
    const [cookie] = reply.cookies
    expect(cookie).toMatchObject({ name: 'tidings_browser', httpOnly: true, path: '/', sameSite: 'Lax' })
    expect(cookie?.value).toMatch(/^[\w-]{43}$/)
    const member = await flows.members.call('GET', '/member', { headers: browserAfter(reply) })
    expect(member.json()).toEqual({ data: null })
    const rows = await site.context.database.db.knownSource.findMany()
    expect(JSON.stringify(rows)).not.toContain(cookie?.value)
    expect(JSON.stringify(rows)).not.toContain(home)
  })
})
