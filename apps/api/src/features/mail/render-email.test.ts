import { describe, expect, it, test } from 'vitest'
import { createEmailSite } from './layout/email-site.ts'
import { type CodeEmail, type Email, getEmailDefinition } from './registry.ts'
import { renderEmail } from './render-email.ts'

const settings = {
  appName: 'Tidings',
  siteUrl: new URL('https://news.example.com'),
  contact: 'help@example.com',
  timeZone: 'America/Los_Angeles',
  language: 'en',
}
const accountUrl = 'https://news.example.com/#/account/dashboard'
const changePlanUrl = 'https://news.example.com/#/account/change-plan'

function render({ kind, ...data }: Email | CodeEmail, overrides: Partial<typeof settings> = {}) {
  const site = createEmailSite({ ...settings, ...overrides })
  const { subject, html, text: rendered } = renderEmail(getEmailDefinition(kind), data, site)
  const text = rendered.replaceAll('\u00a0', ' ')
  return { subject, html, text, lines: text.split('\n') }
}

const instant = '2026-12-21T05:00:00.000Z'
const payUrl = 'https://pay.example.com/i/acct_1/live_1?s=ap&x=1'
const day = 'December 21, 2026 (UTC)'
const yearly = { amount: 4999, currency: 'usd', interval: 'YEARLY', nextBillingDate: instant } as const
const fromTo = { fromPlanName: 'Monthly', toPlanName: 'Yearly' }
const subscribed = {
  kind: 'subscribed',
  planName: 'Yearly',
  ...yearly,
  charged: 4500,
  invoiceUrl: payUrl,
} as const
const planChanged = { kind: 'plan-changed', ...fromTo, ...yearly, charged: 4500 } as const
const changeCanceled = { kind: 'plan-change-canceled', ...fromTo, ...yearly } as const
const scheduled = { kind: 'plan-change-scheduled', ...fromTo, ...yearly, at: instant } as const
const due = { planName: 'Yearly', amount: 4999, currency: 'usd', payUrl }
const paymentFailed = { kind: 'payment-failed', ...due, accessUntil: instant } as const
const refund = { kind: 'refund', amount: 499, currency: 'usd', status: 'refunded', isSecond: true } as const
const ending = { kind: 'subscription-ending', planName: 'Yearly', endsAt: instant } as const

/** Prepends the kind of an email for the title of its test. */
function withKind<T>([email, expected]: [Email, T]): [Email['kind'], Email, T] {
  return [email.kind, email, expected]
}

const price = 'Price: $49.99 a year'
const next = `Next payment: ${day}`

describe('the facts of a billing email', () => {
  const billingEmails: [Email, string[]][] = [
    [subscribed, ['Plan: Yearly', 'Charged: $45.00', price, next]],
    [planChanged, ['Old plan: Monthly', 'New plan: Yearly', 'Charged: $45.00', price, next]],
    [changeCanceled, ['Plan: Monthly', 'Canceled change: Yearly', price, next]],
    [scheduled, ['Current plan: Monthly', 'New plan: Yearly', `Starts on: ${day}`, price]],
    [paymentFailed, ['Plan: Yearly', 'Amount due: $49.99', `Pay by: ${day}`]],
    [{ kind: 'plan-closed', ...due }, ['Plan: Yearly', 'Amount due: $49.99']],
    [ending, ['Plan: Yearly', `Ends on: ${day}`]],
    [{ kind: 'subscription-resumed', planName: 'Yearly', nextBillingDate: instant }, ['Plan: Yearly', next]],
    [{ kind: 'subscription-ended', planName: 'Yearly' }, ['Plan: Yearly']],
    [{ kind: 'subscription-ended-unpaid', planName: 'Yearly' }, ['Plan: Yearly']],
    [{ kind: 'payment-disputed', planName: 'Yearly' }, ['Plan: Yearly']],
    [refund, ['Refunded: $4.99']],
    [{ ...refund, status: 'failed' }, ['Refund pending: $4.99']],
    [{ ...refund, status: 'manual' }, ['Refund pending: $4.99']],
  ]
  test.each(billingEmails.map(withKind))('are listed one per line in %s', (_kind, email, expected) => {
    const { lines } = render(email)
    expect(lines.filter((line) => /^[A-Z][a-z ]+: /.test(line))).toEqual(expected)
  })

  it('leave out unknown values', () => {
    const once = { ...subscribed, interval: null, nextBillingDate: null, invoiceUrl: null, charged: null }
    const { text } = render(once)
    expect(text).toContain('Price: $49.99, paid once')
    expect(text).not.toMatch(/Charged|Next payment|renews|receipt/)
    expect(render({ ...planChanged, nextBillingDate: null }).text).not.toContain('Next payment')
  })

  it('contain the price with the end of a discount', () => {
    const amounts = [
      { from: instant, amount: 2_500, tax: 0 },
      { from: '2027-12-21T05:00:00.000Z', amount: 4_999, tax: 0 },
    ]
    for (const email of [subscribed, planChanged, changeCanceled]) {
      const { lines } = render({ ...email, amounts })
      expect(lines).toContain(`Price: $25.00 a year until December 21, 2027 (UTC), then $49.99 a year`)
      expect(lines).toContain(next)
    }
  })

  it.each([
    ['exclusive', 'Price: $49.99 a year plus tax', `Next payment: $54.36 on ${day}`],
    ['inclusive', 'Price: $54.36 a year including tax', next],
  ] as const)('contain %s tax and what is charged', (taxBehavior, ...expected) => {
    const amounts = [{ from: instant, amount: 5_436, tax: 437 }]
    const { lines } = render({ ...subscribed, taxBehavior, amounts })
    expect(lines).toEqual(expect.arrayContaining(expected))
  })

  it.each([
    ['jpy', 1200, 'Price: ¥1,200 a month'],
    ['eur', 499, 'Price: €4.99 a month'],
    ['kwd', 1500, 'Price: KWD 1.500 a month'],
    ['usd', 0, 'Price: $0.00 a month'],
  ])('format %s amounts: %d', (currency, amount, line) => {
    expect(render({ ...subscribed, currency, amount, interval: 'MONTHLY' }).lines).toContain(line)
  })

  it.each([
    ['Asia/Tokyo', 'December 21, 2026'],
    ['Europe/London', 'December 21, 2026'],
    ['America/Los_Angeles', 'December 21, 2026 (UTC)'],
  ])('name Stripe’s day, marked as UTC if it differs in %s', (timeZone, billingDay) => {
    expect(render(ending, { timeZone }).subject).toBe(`Your Tidings plan ends on ${billingDay}`)
    expect(render(scheduled, { timeZone }).lines).toContain(`Starts on: ${billingDay}`)
  })
})

describe('the language of the site', () => {
  it('is that of the email, its dates and its amounts', () => {
    const { html, lines } = render(paymentFailed, { language: 'de', timeZone: 'Asia/Tokyo' })
    expect(html).toMatch(/<html[^>]* lang="de"/)
    expect(lines).toEqual(expect.arrayContaining(['Amount due: 49,99 $', 'Pay by: 21. Dezember 2026']))
  })
})

describe('texts that depend on the data', () => {
  const texts: [Email, RegExp][] = [
    [planChanged, /We credited the unused time/],
    [{ ...planChanged, wasScheduled: true }, /The change you scheduled is now in effect/],
    [paymentFailed, /Pay by then/],
    [{ ...paymentFailed, accessUntil: null }, /Your plan is on hold until you pay/],
    [refund, /You paid twice for your plan.*The refund reaches your card in 5 to 10 days/s],
    [{ ...refund, isSecond: false }, /You were charged for a plan that has ended/],
    [{ ...refund, status: 'failed' }, /The refund failed. We know about it/],
    [{ ...refund, status: 'manual' }, /We’ll refund this payment, or write to you/],
    [
      { kind: 'account-deleted', planName: 'Yearly' },
      /won’t be charged again.*Earlier payments aren’t refunded/s,
    ],
  ]
  it.each(texts.map(withKind))('include, in %s, %o', (_kind, email, expected) => {
    expect(render(email).text).toMatch(expected)
  })

  it('a deleted account without a plan gets no text about plans and payments', () => {
    const { text } = render({ kind: 'account-deleted', planName: null })
    expect(text).not.toMatch(/plan|charged|refund/i)
  })

  it.each([
    ['refunded', 'Refunded: $4.99'],
    ['failed', 'Refund pending: $4.99'],
    ['manual', 'Refund pending: $4.99'],
  ] as const)('a deleted account with a %s payment gets a line about it', (status, line) => {
    const refunds = [{ amount: 499, currency: 'usd', status }]
    const { lines } = render({ kind: 'account-deleted', planName: 'Yearly', refunds })
    expect(lines).toContain(line)
    expect(lines).not.toContain('Earlier payments aren’t refunded.')
  })
})

describe('a code email', () => {
  const code = { code: '418206', minutes: 10 }
  const link = 'https://news.example.com/auth/verify-email?email=ada%40example.com&code=418206'

  test.each<[string, CodeEmail]>([
    ['password reset code', { kind: 'reset-code', ...code }],
    ['login code', { kind: 'login-code', ...code }],
    ['login code', { kind: 'existing-account-code', ...code }],
    ['sign-up code', { kind: 'signup-code', ...code }],
    ['confirmation code', { kind: 'verification', ...code, link }],
  ])('starts its subject with the %s and contains it in one piece', (name, email) => {
    const { subject, html, lines } = render(email)
    expect(subject).toBe(`418206 is your Tidings ${name}`)
    expect(lines).toContain('418206')
    expect(html).toMatch(/<p class="ink code"[^>]*>418206<\/p>/)
  })

  test.each([
    [60, '1 hour'],
    [10, '10 minutes'],
    [1, '1 minute'],
  ])('that works for %d minutes states its lifetime', (minutes, span) => {
    const { lines } = render({ kind: 'login-code', code: '418206', minutes })
    expect(lines).toContain(`This code expires in ${span} and works once. Never share it.`)
  })
})

describe('a button', () => {
  const buttons: [Email, string][] = [
    [{ kind: 'password-changed' }, 'https://news.example.com/#/resetpassword'],
    [{ kind: 'account-expiring', removedAt: instant }, 'https://news.example.com/#/account/login'],
    [{ kind: 'provider-connected', providerName: 'Google' }, accountUrl],
    [subscribed, accountUrl],
    [{ ...subscribed, invoiceUrl: null }, accountUrl],
    [paymentFailed, payUrl],
    [{ ...paymentFailed, payUrl: null }, accountUrl],
    [{ kind: 'plan-closed', ...due, payUrl: null }, accountUrl],
    [planChanged, accountUrl],
    [scheduled, changePlanUrl],
    [ending, accountUrl],
    [{ kind: 'subscription-ended', planName: 'Yearly' }, changePlanUrl],
    [{ kind: 'payment-disputed', planName: 'Yearly' }, changePlanUrl],
    [refund, accountUrl],
  ]
  test.each(buttons.map(withKind))('of %s leads to the URL in its text', (_kind, email, url) => {
    const { html, lines } = render(email)
    const escaped = url.replaceAll('&', '&amp;')
    expect(html.split(`href="${escaped}"`).length).toBeGreaterThan(2)
    expect(html).toContain(`>${escaped}</a>`)
    expect(lines).toContain(url)
  })

  it('of the welcome leads to the delivery methods; the receipt is a link', () => {
    const { html, text } = render(subscribed)
    expect(html).toMatch(/#\/account\/dashboard" class="button"[^>]*>.*?Choose how editions reach you/s)
    expect(html.match(/class="button"/g)).toHaveLength(1)
    expect(html).toMatch(/<a href="https:\/\/pay[^"]*" class="link"[^>]*>View receipt<\/a>/)
    expect(text).toContain(`Choose how editions reach you:\n${accountUrl}\n\nView receipt:\n${payUrl}`)
  })

  test.each<Email>([
    { kind: 'email-changed', newEmail: 'a@example.org' },
    { kind: 'account-deleted', planName: null },
  ])('of $kind writes to the contact address', (email) => {
    const { html, lines } = render(email)
    expect(html.split('href="mailto:help@example.com"')).toHaveLength(3)
    expect(lines).toContain('help@example.com')
  })
})

describe('names', () => {
  const long = `Everything ${'and more '.repeat(20)}${'x'.repeat(60)}`
  const named = (name: string): Email[] => [
    { ...subscribed, planName: name },
    { ...paymentFailed, planName: name },
    { ...ending, planName: name },
    { ...planChanged, fromPlanName: name, toPlanName: name },
    { ...scheduled, fromPlanName: name, toPlanName: name },
  ]

  test.each(named(long))('of any length are complete in $kind and not in its subject', (email) => {
    const { html, text, subject } = render(email)
    expect(text).toContain(long)
    expect(html).toContain(long)
    expect(subject.length).toBeLessThan(78)
  })

  test.each(named(' \u200b '))('may be empty in $kind', (email) => {
    const { html, text } = render(email)
    expect(text).not.toMatch(/: *\n(?!https:)|\n{3}| {2}/)
    expect(html).not.toMatch(/<(td|tbody)[^>]*><\//)
  })

  test.each(named('<b>Gold</b>\r\n\u202eNow: free'))('stay text on one line in $kind', (email) => {
    const { html, text } = render(email)
    expect(html).not.toContain('<b>')
    expect(html).toContain('&lt;b&gt;Gold&lt;/b&gt; Now: free')
    expect(text).toContain(': <b>Gold</b> Now: free')
  })

  it('stay text in the title and one line in the subject', () => {
    const hostile = '</title><script>alert("1")</script>\r\nBcc: eve@example.com'
    const email = { kind: 'provider-connected', providerName: hostile } as const
    const { html, subject } = render(email, { appName: hostile })
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)')
    expect(subject).not.toMatch(/[\r\n]/)
  })

  it('a new address is masked in the email to the old one', () => {
    const { html, text, subject } = render({ kind: 'email-changed', newEmail: 'jane.doe@example.org' })
    expect(text).toContain('j•••@example.org')
    expect(html + text + subject).not.toContain('jane.doe')
  })
})

test('long words break, texts are hyphenated, and addresses are not', () => {
  const { html } = render({ kind: 'email-changed', newEmail: 'jane.doe@example.org' })
  expect(html).toMatch(/<table[^>]*word-break:break-word/)
  const hyphenated = html.match(/<p[^>]*hyphens:auto[^>]*>[^<]*/g) ?? []
  expect(hyphenated.join()).not.toMatch(/@/)
  const { html: other } = render({ kind: 'account-deleted', planName: null })
  expect(other).toMatch(/<p[^>]*hyphens:auto/)
})

test('data that its schema refuses is not rendered', () => {
  const site = createEmailSite(settings)
  expect(() => renderEmail(getEmailDefinition('subscribed'), { planName: 1 }, site)).toThrow()
})

test('an unknown kind of email is an error', () => {
  expect(() => getEmailDefinition('unknown')).toThrow('There is no email of the kind unknown')
})
