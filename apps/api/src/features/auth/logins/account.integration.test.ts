import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { readSession, type TestMember } from '#test/membership.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'

const it = mailTest()
  .extend('change', { scope: 'file' }, ({ flows }) => (headers: Headers, body: Record<string, unknown>) => {
    return flows.members.call('POST', '/member-auth', { headers, body })
  })
  .extend('setPassword', { scope: 'file' }, ({ flows }) => (headers: Headers, password: string) => {
    return flows.members.call('POST', '/member/set-password', { headers, body: { password } })
  })

  /** Signs up a member and logs in again, as on another device. */
  .extend(
    'memberOnTwoDevices',
    { scope: 'file' },
    ({ flows }) =>
      async (email: string): Promise<TestMember & { other: Headers }> => {
        const member = await flows.memberOf(email)
        return { ...member, other: flows.members.headersOf(await flows.members.logIn({ email })) }
      },
  )

  /** Signs up by email code, so that the member has no password. */
  .extend(
    'memberWithoutPassword',
    { scope: 'file' },
    ({ flows, inbox }) =>
      async (email: string): Promise<{ headers: Headers; other: Headers }> => {
        const login = async () => {
          await flows.ask('signup', email)
          await flows.mailed()
          const [mail] = await inbox.mailsTo(email)
          if (mail === undefined) throw new Error('No email has arrived')
          return flows.members.headersOf(readSession(await flows.use('signup', email, codeIn(mail))))
        }
        return { headers: await login(), other: await login() }
      },
  )
  .extend('isLoggedIn', { scope: 'file' }, ({ flows }) => async (headers: Headers): Promise<boolean> => {
    const reply = await flows.members.call('GET', '/member/sessions', { headers })
    if (reply.statusCode !== 200) expect(refusalOf(reply).code).toBe('client/invalid-token')
    return reply.statusCode === 200
  })

const oldPassword = 'a-long-password'
type Headers = Record<string, string>

describe('POST /member-auth with an address', () => {
  it('changes the address, marks it unverified and ends every other session', async ({
    flows,
    inbox,
    change,
    memberOnTwoDevices,
    isLoggedIn,
  }) => {
    const { email, headers, other } = await memberOnTwoDevices('ann@example.com')
    await flows.use('verification', email, codeIn(await inbox.mailTo(email, 'Confirm your email address')))
    const reply = await change(headers, { email: ' ANN.new@example.com' })
    expect(reply.json()).toMatchObject({
      data: { verified: false, auth: { email: 'ann.new@example.com' } },
      _internalUseOnly: { message: 'Your changes are saved.' },
    })
    expect(await isLoggedIn(headers)).toBe(true)
    expect(await isLoggedIn(other)).toBe(false)
    await flows.members.logIn({ email: 'ann.new@example.com' })
  })

  it('emails the old address without the new one, and emails a code to the new address', async ({
    flows,
    inbox,
    change,
  }) => {
    const { headers } = await flows.memberOf('bea@example.com')
    await change(headers, { email: 'beatrice@example.com' })
    const changeEmail = await inbox.mailTo('bea@example.com', 'Your email address was changed')
    expect(changeEmail.text).not.toContain('beatrice@example.com')
    const codeEmail = await inbox.mailTo('beatrice@example.com', 'Confirm your email address')
    const verified = await flows.use('verification', 'beatrice@example.com', codeIn(codeEmail), { headers })
    expect(verified.statusCode).toBe(200)
    const reply = await flows.members.call('GET', '/member', { headers })
    expect(reply.json().data).toMatchObject({ verified: true, auth: { email: 'beatrice@example.com' } })
  })

  it('refuses a taken address, changes nothing and sends no email', async ({
    flows,
    inbox,
    change,
    memberOnTwoDevices,
    isLoggedIn,
  }) => {
    await flows.memberOf('taken@example.com')
    const { headers, other } = await memberOnTwoDevices('cy@example.com')
    const reply = await change(headers, { email: 'Taken@Example.com' })
    expect(refusalOf(reply)).toMatchObject({ status: 409, code: 'email-already-in-use' })
    expect(await isLoggedIn(other)).toBe(true)
    await flows.mailed()
    expect(await inbox.mailsTo('cy@example.com', 'Your email address was changed')).toEqual([])
    expect(await inbox.mailsTo('taken@example.com')).toHaveLength(1)
  })

  it('gives an address to one of many concurrent requests', async ({ flows, inbox, change }) => {
    const requesters = await Promise.all(
      Array.from({ length: 4 }, (_, index) => flows.memberOf(`requester-${index}@example.com`)),
    )
    const replies = await Promise.all([
      ...requesters.map(({ headers }) => change(headers, { email: 'wanted@example.com' })),
      flows.members.call('POST', '/auth/signup', {
        body: { email: 'wanted@example.com', password: oldPassword },
      }),
    ])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409])
    const refusals = replies.filter(({ statusCode }) => statusCode === 409).map(refusalOf)
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['email-already-in-use']))
    await flows.mailed()
    expect(await inbox.mailsTo('wanted@example.com')).toHaveLength(1)
  })

  it('sends an address a limited number of change emails and codes an hour', async ({
    site,
    flows,
    inbox,
  }) => {
    // Of the codes, one network gets a third.
    site.limitMails({ perHour: 3 })
    const { headers } = await flows.memberOf('dan@example.com')
    for (let times = 0; times < 4; times += 1) {
      for (const email of ['victim@example.com', 'dan@example.com']) {
        flows.pass(1)
        const reply = await flows.members.call('POST', '/member-auth', { headers, body: { email } })
        expect(reply.statusCode).toBe(200)
        await flows.mailed()
      }
    }
    expect(await inbox.mailsTo('victim@example.com', 'Your email address was changed')).toHaveLength(3)
    expect(await inbox.mailsTo('victim@example.com', 'Confirm your email address')).toHaveLength(1)
  })
})

describe('POST /member-auth with passwords', () => {
  it('changes the password, ends every other session and emails the member', async ({
    flows,
    inbox,
    change,
    memberOnTwoDevices,
    isLoggedIn,
  }) => {
    const { email, headers, other } = await memberOnTwoDevices('eve@example.com')
    const reply = await change(headers, { oldPassword, newPassword })
    expect(reply.json()).toMatchObject({ _internalUseOnly: { message: 'Your changes are saved.' } })
    expect([await isLoggedIn(headers), await isLoggedIn(other)]).toEqual([true, false])
    await flows.members.logIn({ email, password: newPassword })
    const old = await flows.members.call('POST', '/auth/login', { body: { email, password: oldPassword } })
    expect(refusalOf(old).code).toBe('invalid-credentials')
    await inbox.mailTo(email, 'Your password was changed')
  })

  it('changes address and password together, or neither', async ({ flows, change }) => {
    const { headers } = await flows.memberOf('finn@example.com')
    await flows.memberOf('finns-friend@example.com')
    const neither = await change(headers, { email: 'finns-friend@example.com', oldPassword, newPassword })
    expect(refusalOf(neither).code).toBe('email-already-in-use')
    await flows.members.logIn({ email: 'finn@example.com', password: oldPassword })
    const both = await change(headers, { email: 'finn.2@example.com', oldPassword, newPassword })
    expect(both.statusCode).toBe(200)
    await flows.members.logIn({ email: 'finn.2@example.com', password: newPassword })
  })

  it('accepts one of two concurrent changes', async ({ flows, change }) => {
    const { email, headers } = await flows.memberOf('gil@example.com')
    const passwords = ['the-first-choice', 'the-second-choice']
    const replies = await Promise.all(
      passwords.map((chosen) => change(headers, { oldPassword, newPassword: chosen })),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const refused = replies.filter(({ statusCode }) => statusCode !== 200).map(refusalOf)
    expect(refused).toMatchObject([{ status: 400, code: 'invalid-credentials' }])
    const winner = passwords[replies.findIndex(({ statusCode }) => statusCode === 200)]
    await flows.members.logIn({ email, ...(winner === undefined ? {} : { password: winner }) })
  })

  it.for([
    ['a wrong old password', { oldPassword: 'not-the-old-one', newPassword }, 'invalid-credentials'],
    ['a short new password', { oldPassword, newPassword: 'short' }, 'invalid-password-too-short'],
    ['an address that is not text', { email: {} }, 'invalid-email'],
    ['an empty body', {}, 'required-field-missing'],
  ] as const)(
    'refuses %s and keeps every session',
    async ([name, body, code], { flows, change, memberOnTwoDevices, isLoggedIn }) => {
      const { email, headers, other } = await memberOnTwoDevices(`${name.replaceAll(' ', '-')}@example.com`)
      expect(refusalOf(await change(headers, body))).toMatchObject({ status: 400, code })
      expect([await isLoggedIn(headers), await isLoggedIn(other)]).toEqual([true, true])
      await flows.members.logIn({ email })
    },
  )

  it('allows twenty guesses of the old password an hour', async ({ flows, change }) => {
    const { headers } = await flows.memberOf('ida@example.com')
    const guess = () => change(headers, { oldPassword: 'a-wrong-guess', newPassword })
    const replies = await Promise.all(Array.from({ length: 22 }, guess))
    expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    const refused = await change(headers, { oldPassword, newPassword })
    expect(refusalOf(refused)).toMatchObject({ status: 429, code: 'too-many-requests' })
  })

  it('needs a session', async ({ flows, change }) => {
    const reply = await change(flows.members.visitor, { oldPassword, newPassword })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
  })
})

describe('POST /member/set-password', () => {
  it('sets a first password, ends every other session and emails the member', async ({
    flows,
    inbox,
    setPassword,
    memberWithoutPassword,
    isLoggedIn,
  }) => {
    const { headers, other } = await memberWithoutPassword('jo@example.com')
    const reply = await setPassword(headers, newPassword)
    expect(reply.json()).toMatchObject({
      data: { auth: { hasPassword: true } },
      _internalUseOnly: { message: 'Your password is set.' },
    })
    expect([await isLoggedIn(headers), await isLoggedIn(other)]).toEqual([true, false])
    await flows.members.logIn({ email: 'jo@example.com', password: newPassword })
    await inbox.mailTo('jo@example.com', 'Your password was changed')
  })

  it('accepts one of many concurrent requests and refuses to replace a password', async ({
    setPassword,
    memberWithoutPassword,
  }) => {
    const { headers } = await memberWithoutPassword('kim@example.com')
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, index) => setPassword(headers, `password-number-${index}`)),
    )
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400, 400])
    const again = await setPassword(headers, newPassword)
    expect(refusalOf(again)).toMatchObject({ status: 400, code: 'invalid-password' })
  })

  it('refuses a short password', async ({ setPassword, memberWithoutPassword }) => {
    const { headers } = await memberWithoutPassword('short@example.com')
    const refusal = { status: 400, code: 'invalid-password-too-short' }
    expect(refusalOf(await setPassword(headers, 'short'))).toMatchObject(refusal)
  })

  it('is required before POST /member-auth can change a password', async ({
    site,
    change,
    memberWithoutPassword,
  }) => {
    const { headers } = await memberWithoutPassword('leo@example.com')
    const reply = await change(headers, { oldPassword, newPassword })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'no-password-set' })
    expect(await site.context.database.db.member.count({ where: { passwordHash: null } })).toBeGreaterThan(0)
  })
})
