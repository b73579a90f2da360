import { describe, expect } from 'vitest'
import type { Db } from '#platform/database.ts'
import { mailTest } from '#test/fixtures.ts'
import type { Email } from './registry.ts'

const it = mailTest({ env: { SITE_TIME_ZONE: 'America/Los_Angeles', SITE_URL: 'https://news.example.com' } })
  .extend('context', { scope: 'file' }, ({ site }) => site.context)
  .extend('app', { scope: 'file' }, ({ context }) => context.apps.siteApp())
  .extend(
    'enqueueIn',
    { scope: 'file' },
    ({ context, app }) =>
      async (tx: Db, { to, email, cause }: Enqueued): Promise<void> => {
        await context.emails.enqueue(tx, app, to, email, cause === undefined ? {} : { cause })
      },
  )
  .extend(
    'enqueue',
    { scope: 'file' },
    ({ context, enqueueIn }) =>
      async (enqueued: Enqueued): Promise<void> => {
        await context.database.transaction((tx) => enqueueIn(tx, enqueued))
      },
  )

  /** Returns the emails to the address once the outbox is empty. */
  .extend('mailedTo', { scope: 'file' }, ({ flows, inbox }) => async (address: string) => {
    await flows.mailed()
    return await inbox.mailsTo(address)
  })

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
  kind: 'plan-changed',
  ...fromTo,
  ...yearly,
  nextBillingDate: instant,
  wasScheduled: false,
}
const resumed: Email = { kind: 'subscription-resumed', planName, nextBillingDate: instant }
const ended: Email = { kind: 'subscription-ended', planName }

type Enqueued = { to: string; email: Email; cause?: string }

describe('a billing email', () => {
  it.for([
    ['welcome', subscribed, 'Welcome to Tidings: your plan is active', invoiceUrl],
    [
      'no-invoice',
      { ...subscribed, invoiceUrl: null },
      'Welcome to Tidings: your plan is active',
      accountUrl,
    ],
    ['unpaid', unpaid, 'Your payment to Tidings failed', invoiceUrl],
    ['no-page', { ...unpaid, payUrl: null, accessUntil: null }, 'Your payment to Tidings failed', accountUrl],
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
    ['resumed', resumed, 'Your Tidings plan continues', accountUrl],
    ['ended', ended, 'Your Tidings plan has ended', changePlanUrl],
    [
      'disputed',
      { kind: 'payment-disputed', planName },
      'Your Tidings plan was canceled after a payment dispute',
      changePlanUrl,
    ],
  ] satisfies [string, Email, string, string][])(
    'arrives: %s',
    async ([name, email, subject, page], { inbox, enqueue }) => {
      const to = `${name}@example.com`
      await enqueue({ to, email, cause: name })
      const mail = await inbox.mailTo(to)
      expect(mail.subject).toBe(subject)
      expect(mail.text).toContain(`: ${planName}\n`)
      expect(mail.text.split('\n')).toContain(page)
      expect(mail.html).toContain(`href="${page}"`)
      expect(mail.html).toContain(`>${planName}</td>`)
      expect(mail.headers).toMatchObject({
        'auto-submitted': 'auto-generated',
        'x-auto-response-suppress': 'All',
      })
    },
  )

  it('carries a name of any length and script, and the amount in its currency', async ({
    inbox,
    enqueue,
  }) => {
    const to = 'long@example.com'
    const name = `Все новости и ${'非常に長い名前 '.repeat(20)}${'x'.repeat(100)}`
    await enqueue({ to, email: { ...subscribed, planName: name, amount: 1200, currency: 'jpy' } })
    const { text, html } = await inbox.mailTo(to)
    expect(text).toContain(`Plan: ${name}\n`)
    expect(html).toContain(name)
    expect(text).toContain('Price: ¥1,200 a year\n')
    expect(text).toContain('Next payment: December 21, 2026 (UTC)\n')
  })

  it('is never rate limited', async ({ enqueue, mailedTo }) => {
    const to = 'busy@example.com'
    for (let times = 0; times < 12; times += 1) await enqueue({ to, email: resumed, cause: `again ${times}` })
    expect(await mailedTo(to)).toHaveLength(12)
  })

  it('does not count towards the limit of account emails', async ({ flows, enqueue, mailedTo }) => {
    const to = 'mixed@example.com'
    for (let times = 0; times < 11; times += 1) await enqueue({ to, email: ended, cause: `ended ${times}` })
    for (let times = 0; times < 11; times += 1) {
      flows.pass(1)
      await enqueue({ to, email: { kind: 'password-changed' } })
      await flows.mailed()
    }
    const mails = await mailedTo(to)
    const count = (subject: string) => mails.filter((mail) => mail.subject === subject).length
    expect(count('Your Tidings plan has ended')).toBe(11)
    expect(count('Your Tidings password was changed')).toBe(9)
  })
})

describe('an account email', () => {
  it('is limited per mailbox, also under several addresses', async ({ flows, context, enqueue }) => {
    const recipients = Array.from({ length: 11 }, (_, number) => `flooded+${number}@example.com`)
    for (const to of recipients) {
      flows.pass(1)
      await enqueue({ to, email: { kind: 'password-changed' } })
      await flows.mailed()
    }
    const { db } = context.database
    expect(await db.outboxEmail.count({ where: { recipient: { in: recipients } } })).toBe(9)
  })
})

describe('the cause of an email', () => {
  it('sends one email, however often it is enqueued', async ({ enqueue, mailedTo }) => {
    const to = 'found@example.com'
    const enqueued = { to, email: subscribed, cause: 'subscribed sub_found' }
    await enqueue(enqueued)
    await enqueue(enqueued)
    expect(await mailedTo(to)).toHaveLength(1)
    await enqueue({ ...enqueued, email: { ...subscribed, amount: 1 } })
    const [mail, ...more] = await mailedTo(to)
    expect(more).toEqual([])
    expect(mail?.text).toContain('$49.99')
  })

  it('sends one email if one transaction enqueues it twice', async ({ context, enqueueIn, mailedTo }) => {
    const to = 'twofold@example.com'
    const enqueued = { to, email: ended, cause: 'ended sub_twofold' }
    await context.database.transaction(async (tx) => {
      await enqueueIn(tx, enqueued)
      await enqueueIn(tx, enqueued)
    })
    expect(await mailedTo(to)).toHaveLength(1)
  })

  it('sends one email if many transactions enqueue it at once', async ({ enqueue, mailedTo }) => {
    const to = 'at-once@example.com'
    const enqueued = { to, email: changed, cause: 'changed sub_at-once' }
    await Promise.all(Array.from({ length: 20 }, () => enqueue(enqueued)))
    expect(await mailedTo(to)).toHaveLength(1)
  })

  it('leaves one job, however often it is enqueued', async ({ context, enqueue }) => {
    const to = 'job@example.com'
    const enqueued = { to, email: ended, cause: 'ended sub_job' }
    await Promise.all(Array.from({ length: 5 }, () => enqueue(enqueued)))
    const { db } = context.database
    const { id } = await db.outboxEmail.findFirstOrThrow({ where: { recipient: to } })
    const jobs = await db.$queryRaw`SELECT id FROM jobs.job WHERE data ->> 'emailId' = ${id}`
    expect(jobs).toHaveLength(1)
  })

  it('is free again after a rollback', async ({ context, enqueueIn, enqueue, mailedTo }) => {
    const to = 'next@example.com'
    const enqueued = { to, email: unpaid, cause: 'unpaid in_next' }
    const rolledBack = context.database.transaction(async (tx) => {
      await enqueueIn(tx, enqueued)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await mailedTo(to)).toEqual([])
    await enqueue(enqueued)
    expect(await mailedTo(to)).toHaveLength(1)
  })

  it('sends one email to a member whose address has changed since', async ({ enqueue, mailedTo }) => {
    const cause = 'subscribed sub_moved'
    await enqueue({ to: 'before@example.com', email: subscribed, cause })
    await enqueue({ to: 'after@example.com', email: subscribed, cause })
    expect(await mailedTo('before@example.com')).toHaveLength(1)
    expect(await mailedTo('after@example.com')).toEqual([])
  })

  it('is separate for each kind, and an email without a cause is always sent', async ({
    enqueue,
    mailedTo,
  }) => {
    const to = 'kinds@example.com'
    await enqueue({ to, email: subscribed, cause: 'sub_kinds' })
    await enqueue({ to, email: ended, cause: 'sub_kinds' })
    await enqueue({ to, email: ended })
    await enqueue({ to, email: ended })
    expect(await mailedTo(to)).toHaveLength(4)
  })

  it('is separate for each app', async ({ context, app, enqueue }) => {
    const to = 'apps@example.com'
    const cause = 'ended sub_apps'
    await enqueue({ to, email: ended, cause })
    await context.database.transaction((tx) =>
      context.emails.enqueue(tx, { ...app, id: 'app_another' }, to, ended, { cause }),
    )
    const rows = await context.database.db.outboxEmail.findMany({ where: { recipient: to } })
    expect(rows.map(({ appId }) => appId).sort()).toEqual([app.id, 'app_another'].sort())
  })
})
