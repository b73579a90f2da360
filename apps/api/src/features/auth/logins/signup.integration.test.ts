import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { mailTest } from '#test/fixtures.ts'
import { readSession } from '#test/membership.ts'

const it = mailTest().extend(
  'signUp',
  { scope: 'file' },
  ({ flows }) =>
    (body: Record<string, unknown>, headers?: Record<string, string>) => {
      return flows.members.call('POST', '/auth/signup', {
        body,
        ...(headers === undefined ? {} : { headers }),
      })
    },
)

const password = 'a-long-password'

describe('POST /auth/signup', () => {
  it('creates an account and logs in', async ({ site, inbox, signUp }) => {
    const reply = await signUp({ email: ' Ann.Lee@Example.COM', password, origin_domain: 'news.example.com' })
    const { member, tokens } = readSession(reply)
    expect(reply.json()._internalUseOnly.message).toBe('Your account is ready.')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(member).toMatchObject({
      verified: false,
      auth: { email: 'ann.lee@example.com', hasPassword: true, providers: [] },
      permissions: [],
      stripeCustomerId: null,
    })
    expect(tokens.expires).toBe(site.clock.now().getTime() + 14 * 24 * 3600 * 1000)
    const row = await site.context.database.db.member.findUniqueOrThrow({ where: { id: member.id } })
    expect(row.termsAcceptedAt).toEqual(site.clock.now())
    expect(row.termsOrigin).toBe('news.example.com')
    expect(row.passwordHash).toMatch(/^\$argon2id\$/)
    await inbox.mailTo('ann.lee@example.com', 'Confirm your email address')
  })

  it('ignores protected fields of the request', async ({ signUp }) => {
    const reply = await signUp({
      email: 'bea@example.com',
      password,
      verified: true,
      permissions: ['admin'],
      planConnections: [{ planId: 'pln_x' }],
      stripeCustomerId: 'cus_1',
      id: 'mem_mine',
      json: { a: 1 },
    })
    const { member } = readSession(reply)
    expect(member).toMatchObject({ verified: false, permissions: [], stripeCustomerId: null })
    expect(member.planConnections).not.toContainEqual(expect.objectContaining({ planId: 'pln_x' }))
    expect(member.id).not.toBe('mem_mine')
  })

  it.for([
    ['a short password', { email: 'cy@example.com', password: 'seven77' }, 'invalid-password-too-short'],
    ['a list as customFields', { email: 'cy@example.com', password, customFields: [] }, 'invalid-request'],
  ] as const)('refuses %s and creates no account', async ([_name, body, code], { site, flows }) => {
    const reply = await flows.members.call('POST', '/auth/signup', { body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
    expect(await site.context.database.db.member.count({ where: { email: 'cy@example.com' } })).toBe(0)
  })

  it('refuses an address with an account in any spelling, and sends no more email', async ({
    flows,
    inbox,
    signUp,
  }) => {
    await signUp({ email: 'dan@example.com', password })
    for (const email of ['dan@example.com', 'DAN@EXAMPLE.COM ', 'mailto:dan@example.com']) {
      const reply = await signUp({ email, password: 'quite-another-one' })
      expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'email-already-in-use' })
    }
    await flows.mailed()
    expect(await inbox.mailsTo('dan@example.com')).toHaveLength(1)
    await flows.members.logIn({ email: 'dan@example.com', password })
  })

  it('creates one account and sends one email for twenty concurrent spellings of an address', async ({
    site,
    flows,
    inbox,
    signUp,
  }) => {
    const spellings = ['eve@exämple.com', 'EVE@EXÄMPLE.com', ' Eve@xn--exmple-cua.com', 'ｅve@exämple.com']
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signUp({ email: spellings[index % 4], password })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const refusals = replies.filter(({ statusCode }) => statusCode !== 200).map(refusalOf)
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['email-already-in-use']))
    const email = 'eve@xn--exmple-cua.com'
    expect(await site.context.database.db.member.count({ where: { email } })).toBe(1)
    await flows.mailed()
    // The inbox lists domains in Unicode.
    expect(await inbox.mailsTo('eve@exämple.com')).toHaveLength(1)
  })

  it('keeps the accounts of two apps apart', async ({ site, flows, signUp }) => {
    const headers = await addApp(site, { id: 'app_second', publicKey: 'pk_second' })
    await signUp({ email: 'finn@example.com', password })
    expect((await signUp({ email: 'finn@example.com', password: 'in-the-second' }, headers)).statusCode).toBe(
      200,
    )
    const crossed = await flows.members.call('POST', '/auth/login', {
      headers,
      body: { email: 'finn@example.com', password },
    })
    expect(refusalOf(crossed)).toMatchObject({ status: 401, code: 'invalid-credentials' })
  })

  it('accepts a password in any script and in either Unicode normalization', async ({ flows, signUp }) => {
    const email = 'gil@example.com'
    expect((await signUp({ email, password: 'pässwörd' })).statusCode).toBe(200)
    await flows.members.logIn({ email, password: 'pässwörd'.normalize('NFD') })
    expect((await signUp({ email: 'hal@example.com', password: '🔑'.repeat(256) })).statusCode).toBe(200)
  })
})
