import { describe, expect, it, test } from 'vitest'
import { planMails } from '#test/plan-mails.ts'
import type { Mail } from '../mailer.ts'
import { renderMail } from './render-mail.ts'

const envelope = { to: 'ada@example.com', appName: 'Tidings' }
const code = { code: '418206', minutes: 10 }
const link = 'https://news.example.com/#/verify?email=ada%40example.com&code=418206'
const resetUrl = 'https://news.example.com/#/resetpassword'
const accountUrl = 'https://news.example.com/#/account/dashboard'

const mails = {
  resetCode: { kind: 'reset-code', ...envelope, ...code, minutes: 60 },
  loginCode: { kind: 'login-code', ...envelope, ...code, fromSignup: false },
  loginCodeFromSignup: { kind: 'login-code', ...envelope, ...code, fromSignup: true },
  signupCode: { kind: 'signup-code', ...envelope, ...code },
  verification: { kind: 'verification', ...envelope, ...code, link },
  emailChanged: {
    kind: 'email-changed',
    ...envelope,
    newEmail: 'jane.doe@example.org',
    contact: 'help@example.com',
  },
  passwordChanged: { kind: 'password-changed', ...envelope, resetUrl },
  providerConnected: { kind: 'provider-connected', ...envelope, providerName: 'Google', accountUrl },
  accountExpiring: {
    kind: 'account-expiring',
    ...envelope,
    removedAt: new Date('2026-12-20T18:00:00Z'),
    timeZone: 'America/Los_Angeles',
    loginUrl: 'https://news.example.com/#/account/login',
  },
  addressProved: {
    kind: 'address-proved',
    ...envelope,
    password: 'replaced',
    providerNames: ['Google', 'GitHub'],
    sessionsEnded: 2,
    accountUrl,
  },
  accountDeleted: {
    kind: 'account-deleted',
    ...envelope,
    planName: 'Yearly',
    refunds: [],
    contact: 'help@example.com',
  },
} satisfies Record<string, Mail>

const every: Mail[] = [...Object.values(mails), ...Object.values(planMails)]
const withCode = every.filter((mail) => 'code' in mail)

/** What a page shows, its markup and entities read as a browser would. */
function shownText(html: string): string {
  return html
    .replaceAll(/<head>.*<\/head>|<!--.*?-->/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

describe('every mail', () => {
  test.each(every)('$kind says the same in both parts', async (mail) => {
    const { html, text } = await renderMail(mail)
    const shown = shownText(html)
    const lines = text.split('\n').filter((line) => line !== '' && line !== '---')
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) {
      const fact = /^(\w[\w ]*): (.+)$/.exec(line)
      expect(shown).toContain(fact === null ? line.replace(/:$/, '') : `${fact[1]} ${fact[2]}`)
    }
  })

  test.each(every)('$kind has a language, a title, a preview and both colour schemes', async (mail) => {
    const { html } = await renderMail(mail)
    expect(html).toMatch(/<html[^>]* lang="en"/)
    expect(html).toMatch(/<title>[^<]{5,}<\/title>/)
    expect(html).toMatch(/display:none[^>]*>[^<]{10,}/)
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })

  test.each(every)('$kind fetches nothing and runs nothing', async (mail) => {
    const { html } = await renderMail(mail)
    expect(html).not.toMatch(/<(img|link|script|iframe)\b|url\(|@import/i)
  })

  test.each(every)('$kind says what to do when it was not you', async (mail) => {
    expect((await renderMail(mail)).text).toMatch(/not you\?|You did not|You have no account/)
  })
})

describe('a mail with a code', () => {
  test.each([
    ['password reset code', mails.resetCode],
    ['login code', mails.loginCode],
    ['login code', mails.loginCodeFromSignup],
    ['sign-up code', mails.signupCode],
    ['email verification code', mails.verification],
  ])('begins its subject with the code, and calls it a %s', async (name, mail) => {
    expect((await renderMail(mail)).subject).toBe(`418206 is your Tidings ${name}`)
  })

  test.each(withCode)('$kind has the code on a line of its own, in one piece', async (mail) => {
    const { html, text } = await renderMail(mail)
    expect(text.split('\n')).toContain('418206')
    expect(html).toMatch(/<p class="ink code"[^>]*>418206<\/p>/)
  })

  it('says how long the code holds', async () => {
    expect((await renderMail(mails.resetCode)).text).toContain('It holds for one hour')
    expect((await renderMail(mails.loginCode)).text).toContain('It holds for 10 minutes')
    expect((await renderMail({ ...mails.loginCode, minutes: 1 })).text).toContain('It holds for one minute')
  })

  it('tells who signed up with a known address that there is an account', async () => {
    expect((await renderMail(mails.loginCodeFromSignup)).text).toContain('It has an account already')
    expect((await renderMail(mails.loginCode)).text).not.toContain('account already')
  })
})

describe('the mail to somebody whose account is gone', () => {
  it('names the plan that ended with it, where there was one', async () => {
    const { text } = await renderMail(mails.accountDeleted)
    expect(text).toContain('nothing more is charged')
    expect(text).toContain('Plan: Yearly\n')
    const free = await renderMail({ ...mails.accountDeleted, planName: null })
    expect(free.text).not.toMatch(/plan|charged|refund/i)
  })

  it('tells what was refunded, and what was not', async () => {
    const linesOf = async (refunds: Extract<Mail, { kind: 'account-deleted' }>['refunds']) => {
      const { text } = await renderMail({ ...mails.accountDeleted, refunds })
      return text.replaceAll('\u00a0', ' ').split('\n')
    }
    expect(await linesOf([])).toContain('What you paid before is not refunded.')
    const paid = { amount: 499, currency: 'usd' }
    const refunded = await linesOf([{ ...paid, status: 'refunded' }])
    expect(refunded).toContain('Refunded: $4.99')
    expect(refunded).not.toContain('What you paid before is not refunded.')
    for (const status of ['failed', 'task'] as const)
      expect(await linesOf([{ ...paid, status }])).toContain('Not refunded yet: $4.99')
  })
})

describe('a mail with a button', () => {
  test.each([
    [mails.verification, link],
    [mails.emailChanged, 'mailto:help@example.com'],
    [mails.passwordChanged, resetUrl],
    [mails.providerConnected, accountUrl],
    [mails.accountDeleted, 'mailto:help@example.com'],
    [planMails.subscribed, planMails.subscribed.invoiceUrl],
    [{ ...planMails.subscribed, invoiceUrl: null }, accountUrl],
    [planMails.paymentFailed, planMails.paymentFailed.payUrl],
    [{ ...planMails.paymentFailed, payUrl: null }, accountUrl],
    [planMails.planChanged, accountUrl],
    [planMails.changeScheduled, accountUrl],
    [planMails.ending, accountUrl],
    [planMails.resumed, accountUrl],
    [planMails.ended, accountUrl],
    [planMails.secondRefunded, accountUrl],
    [planMails.disputed, accountUrl],
  ])('$0.kind has the address behind it and in the open', async (mail, address) => {
    const { html, text } = await renderMail(mail)
    const escaped = address.replaceAll('&', '&amp;')
    expect(html.split(`href="${escaped}"`)).toHaveLength(3)
    expect(html).toContain(`>${escaped}</a>`)
    expect(text.split('\n')).toContain(address)
  })
})

describe('what comes from outside', () => {
  it('hides most of the new address from the old one', async () => {
    const { html, text, subject } = await renderMail(mails.emailChanged)
    expect(text).toContain('j•••@example.org')
    expect(html + text + subject).not.toContain('jane.doe')
  })

  it('stays text in the page', async () => {
    const hostile = '</title><script>alert("1")</script>'
    const { html } = await renderMail({ ...mails.providerConnected, appName: hostile, providerName: hostile })
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)')
  })

  it('stays on one line of the subject', async () => {
    const appName = ' Tidings\r\nBcc: eve@example.com\u2028\u202e'
    const { subject } = await renderMail({ ...mails.signupCode, appName })
    expect(subject).toBe('418206 is your Tidings Bcc: eve@example.com sign-up code')
  })
})
