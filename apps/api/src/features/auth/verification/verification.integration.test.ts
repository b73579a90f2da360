import { describe, expect } from 'vitest'
import { newPassword } from '#test/code-flows.ts'
import { refusalOf } from '#test/desk.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/inbox.ts'
import { queueUp } from '#test/row-locks.ts'

const it = mailTest({ env: { SITE_URL: 'https://news.example.com' } })
  .extend(
    'isVerified',
    { scope: 'file' },
    ({ flows }) =>
      async (headers: Record<string, string>): Promise<boolean> => {
        const reply = await flows.members.call('GET', '/member', { headers })
        return reply.json().data.verified
      },
  )

  /** Returns the URL of the button in the verification email. */
  .extend('linkTo', { scope: 'file' }, ({ inbox }) => async (email: string): Promise<URL> => {
    const { text } = await inbox.mailTo(email, verificationWords)
    return new URL(/^https?:.*$/m.exec(text)?.[0] ?? 'none')
  })

  /** Submits the form of the page. */
  .extend('submit', { scope: 'file' }, ({ site }) => (fields: Record<string, string> | string) => {
    return site.app.inject({
      method: 'POST',
      url: '/auth/verify-email/confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    })
  })

const verificationWords = 'Confirm your email address'

function fieldsOf(link: URL): Record<string, string> {
  return Object.fromEntries(link.searchParams)
}

describe('POST /auth/verify-email', () => {
  it('verifies the address of the member with the code of the sign-up email', async ({
    flows,
    inbox,
    isVerified,
  }) => {
    const { email, headers } = await flows.memberOf('ann@example.com')
    expect(await isVerified(headers)).toBe(false)
    const code = codeIn(await inbox.mailTo(email, verificationWords))
    const reply = await flows.use('verification', email, code)
    expect(reply.json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'Your email address is verified.' },
    })
    expect(await isVerified(headers)).toBe(true)
  })

  it.for([
    ['no address', { email: '', code: '123456', newPassword }, 'required-field-missing'],
    ['a malformed address', { email: 'ann', code: '123456', newPassword }, 'invalid-email'],
    [
      'an unknown address',
      { email: 'unknown@example.com', code: '123456', newPassword },
      'invalid-verification-code',
    ],
    ['no code', { email: 'ann@example.com' }, 'required-field-missing'],
  ] as const)('refuses %s', async ([_name, body, code], { flows }) => {
    const reply = await flows.members.call('POST', '/auth/verify-email', { body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
  })
})

describe('POST /auth/send-email-verification', () => {
  it('emails another code', async ({ flows }) => {
    const mail = await flows.mail('verification', 'bea@example.com')
    expect((await flows.use('verification', 'bea@example.com', codeIn(mail))).statusCode).toBe(200)
  })

  it('returns success to a verified member and sends no email', async ({ flows, inbox }) => {
    const { email, headers } = await flows.memberOf('fay@example.com')
    const send = () => flows.members.call('POST', '/auth/send-email-verification', { headers })
    // A newer request replaces a code that was not sent yet, so wait for the first email.
    await inbox.mailTo(email, verificationWords)
    flows.pass(1)
    expect((await send()).json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'We’ve sent a code to your address.' },
    })
    const mail = await inbox.mailTo(email, verificationWords, 2)
    expect((await flows.use('verification', email, codeIn(mail))).statusCode).toBe(200)
    const reply = await send()
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'Your address is already verified.' },
    })
    await flows.mailed()
    expect(await inbox.mailsTo(email, verificationWords)).toHaveLength(2)
  })

  it('needs a session', async ({ flows }) => {
    const reply = await flows.members.call('POST', '/auth/send-email-verification')
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
  })
})

describe('the link of a verification email', () => {
  it('leads to the site, regardless of the Host header', async ({ flows, inbox, linkTo }) => {
    for (const path of ['/auth/signup', '/auth/passwordless/login/send', '/auth/send-reset-password-email']) {
      await flows.members.call('POST', path, {
        headers: { ...flows.members.visitor, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
        body: { email: 'cy@example.com', password: 'a-long-password' },
      })
    }
    expect((await linkTo('cy@example.com')).origin).toBe('https://news.example.com')
    await inbox.mailTo('cy@example.com', '', 3)
    expect(JSON.stringify(await inbox.mailsTo('cy@example.com'))).not.toContain('evil')
  })

  it('opens a page that changes nothing', async ({ site, flows, isVerified, linkTo }) => {
    const { email, headers } = await flows.memberOf('dan@example.com')
    const link = await linkTo(email)
    for (let times = 0; times < 6; times += 1) {
      const page = await site.app.inject({ method: 'GET', url: link.pathname + link.search })
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['cache-control']).toBe('no-store')
      expect(page.body).toContain('<form method="post" action="/auth/verify-email/confirm">')
    }
    const head = await site.app.inject({ method: 'HEAD', url: link.pathname + link.search })
    expect(head.body).toBe('')
    expect(await isVerified(headers)).toBe(false)
  })

  it("verifies with the account's password, once, and ends its sessions", async ({
    flows,
    linkTo,
    submit,
  }) => {
    const { email, password, headers } = await flows.memberOf('eve@example.com')
    const form = { ...fieldsOf(await linkTo(email)), password }
    const page = await submit(form)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Your email address is verified')
    expect((await flows.members.call('GET', '/member', { headers })).json()).toEqual({ data: null })
    expect((await flows.members.logIn({ email, password })).member.verified).toBe(true)
    const again = await submit(form)
    expect(again.statusCode).toBe(400)
    expect(again.body).toContain('If you have verified your address, you’re all set.')
    expect(again.body.replaceAll(email, '')).toBe(
      (await submit({ ...form, email: 'unknown@example.com' })).body.replaceAll('unknown@example.com', ''),
    )
  })

  it('verifies with a new password, which replaces the old one', async ({ flows, linkTo, submit }) => {
    const { email, password } = await flows.memberOf('gus@example.com')
    const page = await submit({ ...fieldsOf(await linkTo(email)), newPassword })
    expect(page.statusCode).toBe(200)
    const login = await flows.members.call('POST', '/auth/login', { body: { email, password } })
    expect(refusalOf(login).code).toBe('invalid-credentials')
    expect((await flows.members.logIn({ email, password: newPassword })).member.verified).toBe(true)
  })

  it.for([
    ['no password', { password: '' }, 'id="password-hint" class="error" role="alert">Enter your password'],
    [
      'a wrong password',
      { password: 'not-the-one' },
      'id="password-hint" class="error" role="alert">Your password is incorrect',
    ],
    [
      'a short new password',
      { newPassword: 'short' },
      'id="newPassword-hint" class="error" role="alert">Minimum',
    ],
  ] as const)(
    'asks again after %s, below the field',
    async ([name, fields, words], { flows, linkTo, submit }) => {
      const { email } = await flows.memberOf(`again-${name.replaceAll(' ', '-')}@example.com`)
      const link = fieldsOf(await linkTo(email))
      const page = await submit({ ...link, ...fields })
      expect(page.statusCode).toBe(400)
      expect(page.body).toContain(words)
      expect(page.body.match(/aria-invalid="true"/g)).toHaveLength(1)
      expect((await submit({ ...link, newPassword })).statusCode).toBe(200)
    },
  )

  it.for([
    ['a wrong code', { code: '000000' }, 400, 'This link has expired'],
    ['a wrong address', { email: 'unknown@example.com' }, 400, 'This link has expired'],
    ['another app', { app: 'app_none' }, 404, 'No app has this'],
    ['no address', { email: '' }, 400, 'Enter your email address'],
    ['markup', { code: '"><script>alert(1)</script>' }, 400, 'This link has expired'],
  ] as const)(
    'shows an error page for %s',
    async ([name, change, status, words], { flows, linkTo, submit }) => {
      const email = `page-${name.replaceAll(' ', '-')}@example.com`
      await flows.memberOf(email)
      const link = fieldsOf(await linkTo(email))
      for (const action of ['verify', 'decline']) {
        const page = await submit({ ...link, newPassword, action, ...change })
        expect(page.statusCode).toBe(status)
        expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(page.body).toContain(words)
        expect(page.body).not.toContain('<script>')
      }
    },
  )

  it('offers another email after it expired, for every address alike', async ({
    flows,
    inbox,
    linkTo,
    submit,
  }) => {
    const { email } = await flows.memberOf('hana@example.com')
    const link = fieldsOf(await linkTo(email))
    flows.pass(11 * 60)
    const expired = await submit({ ...link, newPassword })
    expect(expired.body).toContain('name="action" value="send"')
    const sent = await submit({ ...link, action: 'send' })
    expect(sent.body).toBe((await submit({ ...link, action: 'send', email: 'unknown@example.com' })).body)
    await inbox.mailTo(email, verificationWords, 2)
    expect((await submit({ ...fieldsOf(await linkTo(email)), newPassword })).statusCode).toBe(200)
    await flows.mailed()
    expect(await inbox.mailsTo('unknown@example.com')).toEqual([])
  })

  it('escapes its parameters and runs no script', async ({ site }) => {
    const markup = `"><img src=x onerror=alert(1)>'&`
    const query = new URLSearchParams({ app: markup, email: markup, code: markup })
    const page = await site.app.inject({ method: 'GET', url: `/auth/verify-email?${query}` })
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toContain('<img')
    expect(page.body).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/)
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.headers['referrer-policy']).toBe('strict-origin')
  })
})

describe("'I didn’t sign up'", () => {
  it('removes the account and ends its sessions', async ({ site, flows, linkTo, submit }) => {
    const { email, headers, memberId } = await flows.memberOf('ida@example.com')
    const link = fieldsOf(await linkTo(email))
    const page = await submit({ ...link, action: 'decline' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Your address has been removed')
    expect(await site.context.database.db.member.count({ where: { id: memberId } })).toBe(0)
    expect((await flows.members.call('GET', '/member', { headers })).json()).toEqual({ data: null })
    expect((await submit({ ...link, action: 'decline' })).statusCode).toBe(400)
  })

  it.for([
    ['verified before', true],
    ['never verified', false],
  ] as const)(
    'restores the earlier address of an account, %s',
    async ([_what, verified], { site, flows, inbox, isVerified, linkTo, submit }) => {
      const { db } = site.context.database
      const member = await flows.members.signUp({ email: `jo-${verified}@example.com` })
      const { memberId: id, headers } = member
      await linkTo(member.email)
      flows.pass(1)
      await db.member.update({ where: { id }, data: { verified } })
      for (const email of [`typo-${verified}@example.com`, `stranger-${verified}@example.com`]) {
        await flows.members.call('POST', '/member-auth', { headers, body: { email } })
      }
      const link = fieldsOf(await linkTo(`stranger-${verified}@example.com`))
      expect((await submit({ ...link, action: 'decline' })).statusCode).toBe(200)
      expect(await db.member.findUniqueOrThrow({ where: { id } })).toMatchObject({
        email: member.email,
        formerEmail: null,
        verified: false,
      })
      expect(await isVerified(headers)).toBe(false)
      await inbox.mailTo(member.email, verificationWords, 2)
    },
  )

  it('is refused when the earlier address belongs to another account', async ({ flows, linkTo, submit }) => {
    const member = await flows.members.signUp({ email: 'kit@example.com' })
    const body = { email: 'not-kit@example.com' }
    await flows.members.call('POST', '/member-auth', { headers: member.headers, body })
    await flows.members.signUp({ email: 'kit@example.com' })
    const page = await submit({ ...fieldsOf(await linkTo(body.email)), action: 'decline' })
    expect(page.statusCode).toBe(403)
    expect(page.body).toContain('hello@tidings.example')
  })

  it('is refused for an account with a paid plan', async ({ site, flows, linkTo, submit }) => {
    const { email, memberId } = await flows.memberOf('lou@example.com')
    const { db } = site.context.database
    const plan = {
      id: 'con_lou',
      memberId,
      planId: 'pln_paid',
      priceId: 'prc_paid',
      createdAt: site.clock.now(),
    }
    await db.planConnection.create({ data: { ...plan, type: 'subscription', status: 'PAST_DUE' } })
    const link = fieldsOf(await linkTo(email))
    const page = await submit({ ...link, action: 'decline' })
    expect(page.statusCode).toBe(403)
    expect(page.body).toContain('The account pays for a plan, so we can’t remove your address here.')
    expect(await db.member.count({ where: { id: memberId } })).toBe(1)
    // The owner of the address can still verify it, and the plan stays.
    expect((await submit({ ...link, newPassword })).statusCode).toBe(200)
    expect((await flows.members.logIn({ email, password: newPassword })).member.planConnections).toHaveLength(
      1,
    )
  })

  it.for(['before', 'after'])(
    'removes the account only if it comes first (verified right %s it)',
    async (order, { site, flows, linkTo, submit }) => {
      const { email, memberId } = await flows.memberOf(`race-${order}@example.com`)
      const link = fieldsOf(await linkTo(email))
      const code = await flows.code('login', email)
      const verify = () => flows.use('login', email, code)
      const decline = () => submit({ ...link, action: 'decline' })
      await queueUp(site, memberId, order === 'before' ? [verify, decline] : [decline, verify])
      const rows = await site.context.database.db.member.findMany({ where: { email } })
      expect(rows).toMatchObject(order === 'before' ? [{ id: memberId, verified: true }] : [])
    },
  )
})
