import { describe, expect, it, test } from 'vitest'
import { planMails } from '#test/plan-mails.ts'
import type { PlanMail } from '../mailer.ts'
import { renderMail } from './render-mail.ts'

const every: PlanMail[] = Object.values(planMails)
type NamingMail = Exclude<PlanMail, { kind: 'refund' }>
const naming = every.filter((mail): mail is NamingMail => mail.kind !== 'refund')
const { subscribed, paymentFailed, planChanged, changeScheduled, resumed } = planMails

/** The mail with these names for every plan in it. */
function withPlans(mail: NamingMail, name: string): PlanMail {
  return 'planName' in mail
    ? { ...mail, planName: name }
    : { ...mail, fromPlanName: name, toPlanName: `${name} new` }
}

async function linesOf(mail: PlanMail): Promise<string[]> {
  const { text } = await renderMail(mail)
  return text.replaceAll('\u00a0', ' ').split('\n')
}

describe('every mail about a plan', () => {
  test.each([
    [
      subscribed,
      ['Plan: Yearly', 'Charged: $45.00', 'Price: $49.99 a year', 'Next payment: December 21, 2026 (UTC)'],
    ],
    [
      planMails.changeCanceled,
      [
        'Plan: Yearly',
        'Canceled change: Monthly',
        'Price: $49.99 a year',
        'Next payment: December 21, 2026 (UTC)',
      ],
    ],
    [planMails.endedUnpaid, ['Plan: Yearly']],
    [paymentFailed, ['Plan: Yearly', 'To be paid: $49.99', 'Open until: December 21, 2026 (UTC)']],
    [planMails.closed, ['Plan: Yearly', 'To be paid: $49.99']],
    [
      planChanged,
      [
        'Before: Monthly',
        'Now: Yearly',
        'Charged: $45.00',
        'Price: $49.99 a year',
        'Next payment: December 21, 2026 (UTC)',
      ],
    ],
    [
      changeScheduled,
      ['Now: Yearly', 'Then: Monthly', 'Begins on: December 21, 2026 (UTC)', 'Price: $4.99 a month'],
    ],
    [planMails.ending, ['Plan: Yearly', 'Ends on: December 21, 2026 (UTC)']],
    [resumed, ['Plan: Yearly', 'Next payment: December 21, 2026 (UTC)']],
    [planMails.ended, ['Plan: Yearly']],
    [planMails.secondRefunded, ['Refunded: $49.99']],
    [planMails.refundFailed, ['Not refunded yet: $49.99']],
    [planMails.disputed, ['Plan: Yearly']],
  ])('$0.kind tells the facts, each on a line of its own', async (mail, facts) => {
    const lines = await linesOf(mail)
    expect(lines.filter((line) => /^[A-Z][a-z ]+: /.test(line))).toEqual(facts)
  })

  test.each(every)('$kind says whom to write to', async (mail) => {
    expect((await renderMail(mail)).text).toContain('Write to us at help@example.com')
  })

  test.each(every)('$kind has its own subject, which names the site', async (mail) => {
    const subjects = await Promise.all(every.map(async (one) => (await renderMail(one)).subject))
    const { subject } = await renderMail(mail)
    expect(subject).toContain('Tidings')
    expect(subjects.filter((one) => one === subject)).toHaveLength(1)
  })

  test.each(naming)('$kind carries long names whole, and keeps them out of the subject', async (mail) => {
    const long = `Everything ${'and more '.repeat(20)}${'x'.repeat(60)}`
    const { html, text, subject } = await renderMail(withPlans(mail, long))
    expect(text).toContain(long)
    expect(html).toContain(long)
    expect(subject.length).toBeLessThan(70)
  })

  test.each(naming)('$kind reads well without a name for the plan', async (mail) => {
    const { html, text } = await renderMail(withPlans(mail, ' \u200b '))
    expect(text).not.toMatch(/: *\n(?!https:)|\n{3}|null|undefined| {2}/)
    expect(html).not.toMatch(/<(td|tbody)[^>]*><\/|null|undefined/)
  })

  test.each(naming)('$kind keeps names text, and on their line', async (mail) => {
    const { html, text } = await renderMail(withPlans(mail, '<b>Gold</b>\r\n\u202eNow: free'))
    expect(html).not.toContain('<b>')
    expect(html).toContain('&lt;b&gt;Gold&lt;/b&gt; Now: free')
    expect(text).toContain(': <b>Gold</b> Now: free')
  })
})

describe('what is not known', () => {
  it('is left out of a welcome, and so is that it goes on by itself', async () => {
    const mail = { ...subscribed, interval: null, nextBillingDate: null, invoiceUrl: null }
    const text = (await linesOf(mail)).join('\n')
    expect(text).toContain('Price: $49.99, paid once')
    expect(text).not.toMatch(/Next payment|until you cancel|receipt/)
    expect(text).toContain('Open your account:')
  })

  it.each([planChanged, resumed])('is left out of $kind', async (mail) => {
    const text = (await linesOf({ ...mail, nextBillingDate: null })).join('\n')
    expect(text).not.toContain('Next payment')
  })

  it('leaves a failed payment without a day, and with the way to the account', async () => {
    const text = (await linesOf({ ...paymentFailed, accessUntil: null, payUrl: null })).join('\n')
    expect(text).toContain('Your plan is closed until this is paid.')
    expect(text).not.toMatch(/Open until|Pay now/)
    expect(text).toContain('Open your account:')
  })

  it('leaves a closed plan with the way to the account', async () => {
    const text = (await linesOf({ ...planMails.closed, payUrl: null })).join('\n')
    expect(text).toContain('Open your account:')
    expect(text).not.toContain('Pay now')
  })
})

describe('a plan that was changed', () => {
  it.each([
    [false, 'was counted in', 'was waiting'],
    [true, 'was waiting', 'was counted in'],
  ])('tells what became of what was paid; had it been waiting: %s', async (wasScheduled, said, unsaid) => {
    const text = (await linesOf({ ...planChanged, wasScheduled })).join('\n')
    expect(text).toContain(said)
    expect(text).not.toContain(unsaid)
  })
})

describe('a discount', () => {
  it.each([
    [2_500, 2_500, 'Price: $25.00 a year'],
    [2_500, 4_999, 'Price: $25.00 a year while your discount lasts, then $49.99 a year'],
  ])('is in the price that renewals charge: %d, then %d', async (amount, regularAmount, line) => {
    for (const mail of [subscribed, planChanged, planMails.changeCanceled]) {
      expect(await linesOf({ ...mail, amount, regularAmount })).toContain(line)
    }
  })
})

describe('amounts and days', () => {
  it.each([
    ['jpy', 1200, 'Price: ¥1,200 a month'],
    ['eur', 499, 'Price: €4.99 a month'],
    ['kwd', 1500, 'Price: KWD 1.500 a month'],
    ['usd', 0, 'Price: $0.00 a month'],
  ])('in %s are written as %d minor units are', async (currency, amount, line) => {
    expect(await linesOf({ ...subscribed, currency, amount, interval: 'MONTHLY' })).toContain(line)
  })

  it.each([
    ['Asia/Tokyo', 'December 21, 2026'],
    ['America/Los_Angeles', 'December 21, 2026 (UTC)'],
  ])('are Stripe’s, and say so where they are others in %s', async (timeZone, day) => {
    expect((await renderMail({ ...planMails.ending, timeZone })).subject).toBe(
      `Your Tidings plan ends on ${day}`,
    )
    expect(await linesOf({ ...changeScheduled, timeZone })).toContain(`Begins on: ${day}`)
  })
})
