import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { newPassword, otherCode } from '#test/sign-in/code-flows.ts'
import { verificationTest, verificationWords } from '#test/sign-in/verification-links.ts'

const it = verificationTest()
  .extend('memberIdOf', { scope: 'file' }, ({ members }) => async (headers: Record<string, string>) => {
    const { data } = (await members.call('GET', '/member', { headers })).json()
    return data === null ? null : data.id
  })
  .extend('mailsAbout', { scope: 'file' }, ({ flows, inbox }) => async (email: string, words: string) => {
    await flows.mailed()
    return await inbox.mailsTo(email, words)
  })

const alarm = 'Your account is secured'

describe('the link of a verification email', () => {
  it('confirms with a session of the member, and changes nothing else', async ({
    flows,
    members,
    linkFieldsOf,
    submit,
    memberIdOf,
    mailsAbout,
  }) => {
    const member = await flows.memberOf('session@example.com')
    const other = members.headersOf(await members.logIn(member))
    const link = await linkFieldsOf(member.email)
    const page = await submit(link, { token: member.token })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Your email address is confirmed')
    for (const headers of [member.headers, other]) expect(await memberIdOf(headers)).toBe(member.memberId)
    expect((await members.logIn(member)).member).toMatchObject({
      verified: true,
      auth: { hasPassword: true },
    })
    expect(await mailsAbout(member.email, alarm)).toEqual([])
  })

  it('confirms with the password, and changes nothing else', async ({
    flows,
    members,
    linkFieldsOf,
    submit,
    memberIdOf,
    mailsAbout,
  }) => {
    const member = await flows.memberOf('password@example.com')
    const page = await submit({ ...(await linkFieldsOf(member.email)), password: member.password })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('You’re still logged in wherever you were')
    expect(await memberIdOf(member.headers)).toBe(member.memberId)
    expect((await members.logIn(member)).member.verified).toBe(true)
    expect(await mailsAbout(member.email, alarm)).toEqual([])
  })

  it('removes what an earlier owner left, without a session and the password', async ({
    flows,
    members,
    linkFieldsOf,
    submit,
    memberIdOf,
    mailsAbout,
  }) => {
    const squatter = await flows.memberOf('squatted@example.com')
    const page = await submit({ ...(await linkFieldsOf(squatter.email)), newPassword })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Everyone who was logged in to this account has been logged out')
    expect(await memberIdOf(squatter.headers)).toBeNull()
    const login = await members.call('POST', '/auth/login', { body: squatter })
    expect(refusalOf(login).code).toBe('invalid-credentials')
    expect((await members.logIn({ email: squatter.email, password: newPassword })).member.verified).toBe(true)
    expect(await mailsAbout(squatter.email, alarm)).toHaveLength(1)
  })

  it.for([
    ["another member's session", 'other'],
    ['a session that has ended', 'ended'],
    ['a token that is none', 'none'],
  ] as const)(
    'asks for the password with %s',
    async ([_name, kind], { flows, members, linkFieldsOf, submit }) => {
      const { email } = await flows.memberOf(`asks-${kind}@example.com`)
      const other = await members.signUp({ email: `with-${kind}@example.com` })
      const own = await members.logIn({ email })
      await members.call('POST', '/member/logout', { headers: members.headersOf(own) })
      const token = { other: other.token, ended: own.tokens.accessToken, none: 'x' }[kind]
      const link = await linkFieldsOf(email)
      const page = await submit(link, { token })
      expect(page.statusCode).toBe(400)
      expect(page.body).toContain(
        'id="password-hint" class="error" role="alert">You’re not logged in to this account here',
      )
      expect((await members.logIn({ email })).member.verified).toBe(false)
      expect((await submit({ ...link, newPassword })).statusCode).toBe(200)
    },
  )

  it('limits wrong passwords like a login, and the right one still works on another network', async ({
    flows,
    members,
    linkFieldsOf,
    submit,
  }) => {
    const member = await flows.memberOf('guessed@example.com')
    const link = await linkFieldsOf(member.email)
    const from = '198.51.100.7'
    const guess = () => submit({ ...link, password: 'not-the-one' }, { from })
    // More than the tries of a code, which only wrong codes use up.
    for (let times = 0; times < 20; times += 1) expect((await guess()).statusCode).toBe(400)
    const refused = await submit({ ...link, password: member.password }, { from })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBeDefined()
    expect(refused.body).toContain('role="alert">Too many attempts')
    const body = { email: member.email, password: member.password }
    expect((await members.call('POST', '/auth/login', { body, from })).statusCode).toBe(429)
    expect((await submit({ ...link, password: member.password })).statusCode).toBe(200)
  })

  it('knows a browser that has logged in before, on a network whose tries others have used up', async ({
    flows,
    members,
    linkFieldsOf,
    submit,
  }) => {
    const { email, password } = await flows.memberOf('known@example.com')
    const [stored] = (await members.call('POST', '/auth/login', { body: { email, password } })).cookies
    const link = await linkFieldsOf(email)
    const from = '198.51.100.8'
    for (let times = 0; times < 20; times += 1) await submit({ ...link, password: 'not-the-one' }, { from })
    expect((await submit({ ...link, password }, { from })).statusCode).toBe(429)
    const cookie = `${stored?.name}=${stored?.value}`
    expect((await submit({ ...link, password }, { from, cookie })).statusCode).toBe(200)
  })
})

describe('the page of a link that no longer works', () => {
  it('says that the address is confirmed only with the right link', async ({
    site,
    flows,
    linkFieldsOf,
    submit,
  }) => {
    const { email, password } = await flows.memberOf('twice@example.com')
    const link = await linkFieldsOf(email)
    const open = (fields: Record<string, string>) =>
      site.app.inject({ method: 'GET', url: `/auth/verify-email?${new URLSearchParams(fields)}` })
    expect((await submit({ ...link, password })).statusCode).toBe(200)
    for (const again of [await submit({ ...link, password }), await open(link)]) {
      expect(again.statusCode).toBe(200)
      expect(again.body).toContain('Your email address is already confirmed')
    }
    const wrong = { ...link, password, code: otherCode(link.code ?? '') }
    const page = await submit(wrong)
    expect(page.body).toContain('This link has expired')
    const unknown = await submit({ ...wrong, email: 'unknown@example.com' })
    expect(page.body.replaceAll(email, '')).toBe(unknown.body.replaceAll('unknown@example.com', ''))
  })

  it('says that a newer email replaced it', async ({ flows, inbox, linkFieldsOf, submit }) => {
    const { email, password } = await flows.memberOf('replaced@example.com')
    const first = await linkFieldsOf(email)
    await flows.ask('verification', email)
    await inbox.mailTo(email, verificationWords, 2)
    const page = await submit({ ...first, password })
    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('We’ve sent you a newer link')
    expect(page.body).toContain('name="action" value="send"')
  })

  it('says that the address is no longer that of the account', async ({
    flows,
    members,
    linkFieldsOf,
    submit,
  }) => {
    const { email, headers, password } = await flows.memberOf('former@example.com')
    const link = await linkFieldsOf(email)
    await members.call('POST', '/member-auth', { headers, body: { email: 'latter@example.com' } })
    const page = await submit({ ...link, password })
    expect(page.statusCode).toBe(400)
    expect(page.body).toContain('This address is no longer in use')
    expect(page.body).not.toContain('value="send"')
  })
})
