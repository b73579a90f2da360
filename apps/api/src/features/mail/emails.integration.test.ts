import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { type MailSite, startMailSite } from '#test/mail-site.ts'
import type { Email } from './email.ts'

let mailSite: MailSite
let inbox: MailSite['inbox']
let context: MailSite['site']['context']
let app: MembershipApp
beforeAll(async () => {
  // Where it is still the evening before midnight in UTC.
  mailSite = await startMailSite({
    env: { SITE_TIME_ZONE: 'America/Los_Angeles', SITE_URL: 'https://news.example.com' },
  })
  inbox = mailSite.inbox
  context = mailSite.site.context
  app = await context.membershipApps.siteApp()
})
afterAll(() => mailSite.close())

const accountUrl = 'https://news.example.com/#/account/dashboard'
const changePlanUrl = 'https://news.example.com/#/account/change-plan'
const invoiceUrl = 'https://pay.example.com/invoices/1'
const yearly = { amount: 4999, currency: 'usd', interval: 'YEARLY' } as const
const instant = '2026-12-21T05:00:00.000Z'
const planName = 'Yearly'
const fromTo = { fromPlanName: 'Monthly', toPlanName: planName }

const subscribed: Email = {
  kind: 'subscribed',
  planName,
  ...yearly,
  nextBillingDate: instant,
  invoiceUrl,
}
const unpaid: Email = {
  kind: 'payment-failed',
  planName,
  amount: 4999,
  currency: 'usd',
  payUrl: invoiceUrl,
  accessUntil: instant,
}
const changed: Email = {
  ...{ kind: 'plan-changed', ...fromTo, ...yearly },
  ...{ nextBillingDate: instant, wasScheduled: false },
}
const resumed: Email = { kind: 'subscription-resumed', planName, nextBillingDate: instant }
const ended: Email = { kind: 'subscription-ended', planName }

type Written = { email: string; notice: Email; cause?: string }

async function writeIn(tx: Db, { email, notice, cause }: Written): Promise<void> {
  await context.emails.enqueue(tx, app, email, notice, cause === undefined ? {} : { cause })
}

async function write(written: Written): Promise<void> {
  await context.database.transaction((tx) => writeIn(tx, written))
}

/** Everything that was mailed to the address, once nothing is left to be mailed. */
async function mailedTo(email: string) {
  await mailSite.flows.mailed()
  return await inbox.mailsTo(email)
}

describe('a notice about a plan', () => {
  it.each([
    ['welcome', subscribed, 'Welcome: your Tidings plan has begun', invoiceUrl],
    ['no-invoice', { ...subscribed, invoiceUrl: null }, 'Welcome: your Tidings plan has begun', accountUrl],
    ['unpaid', unpaid, 'Your payment to Tidings did not go through', invoiceUrl],
    [
      'no-page',
      { ...unpaid, payUrl: null, accessUntil: null },
      'Your payment to Tidings did not go through',
      accountUrl,
    ],
    ['changed', changed, 'Your Tidings plan was changed', accountUrl],
    [
      'scheduled',
      { kind: 'plan-change-scheduled', ...fromTo, ...yearly, at: instant },
      'Your Tidings plan changes on December 21, 2026 (UTC)',
      changePlanUrl,
    ],
    [
      'ending',
      { kind: 'subscription-ending', planName, endsAt: instant },
      'Your Tidings plan ends on December 21, 2026 (UTC)',
      accountUrl,
    ],
    ['resumed', resumed, 'Your Tidings plan goes on', accountUrl],
    ['ended', ended, 'Your Tidings plan has ended', changePlanUrl],
    [
      'disputed',
      { kind: 'payment-disputed', planName },
      'Your Tidings plan was canceled after a payment dispute',
      changePlanUrl,
    ],
  ] satisfies [string, Email, string, string][])('arrives: %s', async (name, notice, subject, page) => {
    const email = `${name}@example.com`
    await write({ email, notice, cause: name })
    const mail = await inbox.mailTo(email)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(`: ${planName}\n`)
    expect(mail.text.split('\n')).toContain(page)
    expect(mail.html).toContain(`href="${page}"`)
    expect(mail.html).toContain(`>${planName}</td>`)
  })

  it('carries a name of any length and script, and the amount in its currency', async () => {
    const email = 'long@example.com'
    const name = `Все новости и ${'非常に長い名前 '.repeat(20)}${'x'.repeat(100)}`
    await write({ email, notice: { ...subscribed, planName: name, amount: 1200, currency: 'jpy' } })
    const { text, html } = await inbox.mailTo(email)
    expect(text).toContain(`Plan: ${name}\n`)
    expect(html).toContain(name)
    expect(text).toContain('Price: ¥1,200 a year\n')
    expect(text).toContain('Next payment: December 21, 2026 (UTC)\n')
  })

  it('is never too many', async () => {
    const email = 'busy@example.com'
    for (let times = 0; times < 12; times += 1)
      await write({ email, notice: resumed, cause: `again ${times}` })
    expect(await mailedTo(email)).toHaveLength(12)
  })

  it('takes no other notice its turn', async () => {
    const email = 'turns@example.com'
    for (let times = 0; times < 11; times += 1) await write({ email, notice: ended, cause: `turn ${times}` })
    for (let times = 0; times < 11; times += 1) {
      mailSite.flows.pass(1)
      await write({ email, notice: { kind: 'password-changed' } })
      await mailSite.flows.mailed()
    }
    const mails = await mailedTo(email)
    const count = (subject: string) => mails.filter((mail) => mail.subject === subject).length
    expect(count('Your Tidings plan has ended')).toBe(11)
    expect(count('The password of your Tidings account was changed')).toBe(9)
  })
})

describe('the cause of a notice', () => {
  it('is told once, however often it is found', async () => {
    const email = 'found@example.com'
    const written = { email, notice: subscribed, cause: 'subscribed sub_found' }
    await write(written)
    await write(written)
    expect(await mailedTo(email)).toHaveLength(1)
    await write({ ...written, notice: { ...subscribed, amount: 1 } })
    const [mail, ...more] = await mailedTo(email)
    expect(more).toEqual([])
    expect(mail?.text).toContain('$49.99')
  })

  it('is told once when it is found twice in one transaction', async () => {
    const email = 'twofold@example.com'
    const written = { email, notice: ended, cause: 'ended sub_twofold' }
    await context.database.transaction(async (tx) => {
      await writeIn(tx, written)
      await writeIn(tx, written)
    })
    expect(await mailedTo(email)).toHaveLength(1)
  })

  it('is told once when many find it at once', async () => {
    const email = 'at-once@example.com'
    const written = { email, notice: changed, cause: 'changed sub_at-once' }
    await Promise.all(Array.from({ length: 20 }, () => write(written)))
    expect(await mailedTo(email)).toHaveLength(1)
  })

  it('leaves one job, however many find it', async () => {
    const email = 'job@example.com'
    const written = { email, notice: ended, cause: 'ended sub_job' }
    await Promise.all(Array.from({ length: 5 }, () => write(written)))
    const { db } = context.database
    const { id } = await db.accountNotice.findFirstOrThrow({ where: { email } })
    const jobs = await db.$queryRaw`SELECT id FROM jobs.job WHERE data ->> 'emailId' = ${id}`
    expect(jobs).toHaveLength(1)
  })

  it('is told by whoever finds it next when the first one gave up', async () => {
    const email = 'next@example.com'
    const written = { email, notice: unpaid, cause: 'unpaid in_next' }
    const givenUp = context.database.transaction(async (tx) => {
      await writeIn(tx, written)
      throw new Error('given up')
    })
    await expect(givenUp).rejects.toThrow('given up')
    expect(await mailedTo(email)).toEqual([])
    await write(written)
    expect(await mailedTo(email)).toHaveLength(1)
  })

  it('is told once to a member whose address has changed since', async () => {
    const cause = 'subscribed sub_moved'
    await write({ email: 'before@example.com', notice: subscribed, cause })
    await write({ email: 'after@example.com', notice: subscribed, cause })
    expect(await mailedTo('before@example.com')).toHaveLength(1)
    expect(await mailedTo('after@example.com')).toEqual([])
  })

  it('is told again of another kind, and every time without a cause', async () => {
    const email = 'kinds@example.com'
    await write({ email, notice: subscribed, cause: 'sub_kinds' })
    await write({ email, notice: ended, cause: 'sub_kinds' })
    await write({ email, notice: ended })
    await write({ email, notice: ended })
    expect(await mailedTo(email)).toHaveLength(4)
  })

  it('belongs to its app', async () => {
    const email = 'apps@example.com'
    const cause = 'ended sub_apps'
    await write({ email, notice: ended, cause })
    await context.database.transaction((tx) =>
      context.emails.enqueue(tx, { ...app, id: 'app_another' }, email, ended, { cause }),
    )
    const rows = await context.database.db.accountNotice.findMany({ where: { email } })
    expect(rows.map(({ appId }) => appId).sort()).toEqual([app.id, 'app_another'].sort())
  })
})
