import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '../../../../test/desk.ts'
import { codeIn } from '../../../../test/inbox.ts'
import { type MailSite, startMailSite } from '../../../../test/mail-site.ts'

let mailSite: MailSite
let inbox: MailSite['inbox']
let site: MailSite['site']
let flows: MailSite['flows']
beforeAll(async () => {
  mailSite = await startMailSite({ env: { SITE_URL: 'https://news.example.com' } })
  ;({ inbox, site, flows } = mailSite)
})
afterAll(() => mailSite.close())

const question = 'Is this your address?'

async function isVerified(headers: Record<string, string>): Promise<boolean> {
  const reply = await flows.members.call('GET', '/member', { headers })
  return reply.json().data.verified
}

/** The address of the page that a mail's button leads to. */
async function linkTo(email: string): Promise<URL> {
  const { text } = await inbox.mailTo(email, question)
  return new URL(/^https?:.*$/m.exec(text)?.[0] ?? 'none')
}

function fieldsOf(link: URL): Record<string, string> {
  return Object.fromEntries(link.searchParams)
}

/** Presses the page's button. */
function press(fields: Record<string, string> | string) {
  return site.app.inject({
    method: 'POST',
    url: '/auth/verify-email/confirm',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  })
}

describe('POST /auth/verify-email', () => {
  it('verifies the address of the member with the code of the sign-up mail', async () => {
    const { email, headers } = await flows.memberOf('ann@example.com')
    expect(await isVerified(headers)).toBe(false)
    const code = codeIn(await inbox.mailTo(email, question))
    const reply = await flows.use('verification', email, code)
    expect(reply.json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'Your email address has been verified.' },
    })
    expect(await isVerified(headers)).toBe(true)
  })

  it.each([
    ['no address', { email: '', code: '123456' }, 'required-field-missing'],
    ['a malformed address', { email: 'ann', code: '123456' }, 'invalid-email'],
    ['an unknown address', { email: 'nobody@example.com', code: '123456' }, 'invalid-verification-code'],
    ['no code', { email: 'ann@example.com' }, 'required-field-missing'],
  ])('refuses %s', async (_name, body, code) => {
    const reply = await flows.members.call('POST', '/auth/verify-email', { body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
  })
})

describe('POST /auth/send-email-verification', () => {
  it('mails another code', async () => {
    const mail = await flows.mail('verification', 'bea@example.com')
    expect((await flows.use('verification', 'bea@example.com', codeIn(mail))).statusCode).toBe(200)
  })

  it('tells a member who is verified that there is nothing to do, and mails nothing', async () => {
    const { email, headers } = await flows.memberOf('fay@example.com')
    const send = () => flows.members.call('POST', '/auth/send-email-verification', { headers })
    // Of two codes the later one holds, and one that was not mailed before the next is asked for is not mailed any more.
    await inbox.mailTo(email, question)
    flows.pass(1)
    expect((await send()).json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'A code is on its way to your address.' },
    })
    const mail = await inbox.mailTo(email, question, 2)
    expect((await flows.use('verification', email, codeIn(mail))).statusCode).toBe(200)
    const reply = await send()
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({
      data: { success: true },
      _internalUseOnly: { message: 'Your address is confirmed already.' },
    })
    await flows.mailed()
    expect(await inbox.mailsTo(email, question)).toHaveLength(2)
  })

  it('needs a session', async () => {
    const reply = await flows.members.call('POST', '/auth/send-email-verification')
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
  })
})

describe('the link of a verification mail', () => {
  it('leads to the site, whatever host the request named', async () => {
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

  it('opens a page that changes nothing, however often it is opened', async () => {
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

  it('has a button that verifies, once', async () => {
    const { email, headers } = await flows.memberOf('eve@example.com')
    const link = await linkTo(email)
    const page = await press(link.search.slice(1))
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Your email address is verified.')
    expect(await isVerified(headers)).toBe(true)
    const again = await press(link.search.slice(1))
    expect(again.statusCode).toBe(400)
    expect(again.body).toContain(
      'it was used already. If you have confirmed your address before, there is nothing',
    )
    expect(again.body).toBe((await press({ ...fieldsOf(link), email: 'nobody@example.com' })).body)
  })

  it.each([
    ['a wrong code', { code: '000000' }, 400, 'This link is not right'],
    ['a wrong address', { email: 'nobody@example.com' }, 400, 'This link is not right'],
    ['another app', { app: 'app_none' }, 404, 'No app has this'],
    ['no address', { email: '' }, 400, 'is missing'],
    ['markup', { code: '"><script>alert(1)</script>' }, 400, 'This link is not right'],
  ])('with %s gets a page that says so', async (name, change, status, words) => {
    const email = `page-${name.replaceAll(' ', '-')}@example.com`
    await flows.memberOf(email)
    const page = await press({ ...fieldsOf(await linkTo(email)), ...change })
    expect(page.statusCode).toBe(status)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain(words)
    expect(page.body).not.toContain('<script>')
  })

  it('shows what it carries as text, and lets nothing run', async () => {
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
