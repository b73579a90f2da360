import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { newPassword } from '#test/sign-in/code-flows.ts'
import { linkTo, verificationTest, verificationWords } from '#test/sign-in/verification-links.ts'

const it = verificationTest()

describe('the link of a verification email', () => {
  it('leads to the site, regardless of the Host header', async ({ flows, inbox }) => {
    for (const path of ['/auth/signup', '/auth/passwordless/login/send', '/auth/send-reset-password-email']) {
      await flows.members.call('POST', path, {
        headers: { ...flows.members.visitor, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
        body: { email: 'cy@example.com', password: 'a-long-password' },
      })
    }
    expect((await linkTo(inbox, 'cy@example.com')).origin).toBe('https://news.example.com')
    await inbox.mailTo('cy@example.com', '', 3)
    expect(JSON.stringify(await inbox.mailsTo('cy@example.com'))).not.toContain('evil')
  })

  it('opens a page that changes nothing', async ({ site, flows, inbox, isVerified }) => {
    const { email, headers } = await flows.memberOf('dan@example.com')
    const link = await linkTo(inbox, email)
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

  it('verifies with a new password, which replaces the old one', async ({ flows, linkFieldsOf, submit }) => {
    const { email, password } = await flows.memberOf('gus@example.com')
    const page = await submit({ ...(await linkFieldsOf(email)), newPassword })
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
    async ([name, fields, words], { flows, linkFieldsOf, submit }) => {
      const { email } = await flows.memberOf(`again-${name.replaceAll(' ', '-')}@example.com`)
      const link = await linkFieldsOf(email)
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
    ['another app', { app: 'app_none' }, 404, 'This link is incomplete'],
    ['no address', { email: '' }, 404, 'This link is incomplete'],
    ['no code', { code: '' }, 404, 'This link is incomplete'],
    ['an address that is none', { email: 'ada' }, 404, 'This link is incomplete'],
    ['markup', { code: '"><script>alert(1)</script>' }, 400, 'This link has expired'],
  ] as const)(
    'shows an error page for %s',
    async ([name, change, status, words], { flows, linkFieldsOf, submit }) => {
      const email = `page-${name.replaceAll(' ', '-')}@example.com`
      await flows.memberOf(email)
      const link = await linkFieldsOf(email)
      for (const action of ['verify', 'decline']) {
        const page = await submit({ ...link, newPassword, action, ...change })
        expect(page.statusCode).toBe(status)
        expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
        expect(page.body).toContain(words)
        expect(page.body).not.toContain('<script>alert')
      }
    },
  )

  it('offers another email after it expired, for every address alike', async ({
    flows,
    inbox,
    linkFieldsOf,
    submit,
  }) => {
    const { email } = await flows.memberOf('hana@example.com')
    const link = await linkFieldsOf(email)
    flows.pass(11 * 60)
    const expired = await submit({ ...link, newPassword })
    expect(expired.body).toContain('name="action" value="send"')
    const sent = await submit({ ...link, action: 'send' })
    expect(sent.body).toBe((await submit({ ...link, action: 'send', email: 'unknown@example.com' })).body)
    await inbox.mailTo(email, verificationWords, 2)
    expect((await submit({ ...(await linkFieldsOf(email)), newPassword })).statusCode).toBe(200)
    await flows.mailed()
    expect(await inbox.mailsTo('unknown@example.com')).toEqual([])
  })

  it('escapes its parameters, and runs no script but its own', async ({ site, flows, linkFieldsOf }) => {
    const markup = `"><img src=x onerror=alert(1)>'&`
    const { app = '', ...link } = await linkFieldsOf((await flows.memberOf('ivy@example.com')).email)
    const open = (fields: Record<string, string>) =>
      site.app.inject({ method: 'GET', url: `/auth/verify-email?${new URLSearchParams(fields)}` })
    const page = await open({ app, email: 'o&b@example.com', code: markup })
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toContain('<img')
    expect(page.body).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(page.body).toContain('value="o&amp;b@example.com"')
    const { headers, body } = await open({ app, ...link })
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/)
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[^';]+'; connect-src 'self';/)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['referrer-policy']).toBe('strict-origin')
    expect(body.match(/<script>/g)).toHaveLength(1)
  })
})
