import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AlertKind, alertKinds } from '#platform/alert-kinds.ts'
import { sentDelivery } from '#test/factories/deliveries.ts'
import { draftEdition } from '#test/factories/editions.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { expectAlertLife } from '#test/mail/alert-life.ts'
import { startMailSite } from '#test/sites/mail-site.ts'
import { startTestApp, type TestApp, testNow } from '#test/test-app.ts'
import { type OperatorEmail, sendEmail } from '../mail/index.ts'
import { createAlerts, createConditions } from './index.ts'

const operator = 'night@operator.example'
const heldSubject = 'Tidings: an edition is held or late'
const minuteMs = 60_000
const alertKind = z.enum(alertKinds)

const it = test
  .extend('env', { scope: 'file' }, () => ({ OPERATOR_EMAIL: operator, OPERATOR_EMAIL_EXCEPT: 'backup-old' }))
  .extend('mail', { scope: 'file' }, async ({ env }, { onCleanup }) => {
    const mail = await startMailSite({ working: false, env })
    onCleanup(() => mail.close())
    return mail
  })
  .extend('site', { scope: 'file' }, ({ mail }) => mail.site)
  .extend('other', { scope: 'file' }, async ({ env, site, mail }, { onCleanup }) => {
    const databaseUrl = site.context.config.database.url
    const overrides = { clock: site.clock }
    const withMail = { ...env, SMTP_URL: mail.inbox.smtpUrl }
    const other = await startTestApp({ databaseUrl, working: false, env: withMail, overrides })
    onCleanup(() => other.close())
    return other
  })
  .extend('check', ({ site, mail: { inbox } }) => async () => {
    await site.context.alerts.check()
    const mails = (await inbox.mailsTo(operator)).reverse()
    await inbox.clear()
    return mails
  })
  // The hour of the tests before is over.
  .extend('hour', { auto: true }, ({ site }) => site.clock.pass(61 * minuteMs))

/** Creates a problem, and returns what ends it. */
type Problem = (site: TestApp) => Promise<() => Promise<unknown>>

const problems: Record<Exclude<AlertKind, 'disk-low' | 'backup-old'>, Problem> = {
  async 'edition-held'(site) {
    const { edition } = await draftEdition(site.context, '11-19-26-10AM', 0)
    const { db } = site.context.database
    const setStatus = (data: object) => db.edition.update({ where: { id: edition.id }, data })
    await setStatus({ status: 'held', heldReason: 'It was late.' })
    return () => setStatus({ status: 'draft', heldReason: null })
  },
  async 'sending-held'({ context: { sendingGuard }, clock }) {
    await sendingGuard.setHeld(clock.now())
    return () => sendingGuard.setHeld(null)
  },
  async 'deliveries-unconfirmed'(site) {
    const recipient = await createRecipient(site)
    const { delivery } = await sentDelivery(site, { ...recipient, key: '11-18-26-10AM' })
    const { db } = site.context.database
    const { id } = delivery
    await db.delivery.update({ where: { id }, data: { state: 'unconfirmed' } })
    return () => db.delivery.update({ where: { id }, data: { state: 'sent' } })
  },
  async 'refunds-waiting'({ context, clock }) {
    const { db } = context.database
    const times = { createdAt: clock.now(), updatedAt: clock.now() }
    const payment = { paymentIntentId: 'pi_night', invoiceId: 'in_1', customerId: 'cus_1' }
    const row = { ...payment, ...times, reason: 'paid-twice', amount: 499, currency: 'usd' }
    await db.paymentRefund.create({ data: { ...row, status: 'failed' } })
    return () => db.paymentRefund.deleteMany({ where: { paymentIntentId: 'pi_night' } })
  },
  async 'dead-job'({ context, clock }) {
    const { database, jobs, ids } = context
    const { name } = sendEmail
    await jobs.enqueue(database.sql, sendEmail, { emailId: ids.uuid() })
    await database.pool.query(
      "UPDATE jobs.job SET state = 'failed', completed_on = $2 WHERE name = $1 AND state < 'active'",
      [name, clock.now()],
    )
    await database.pool.query('UPDATE jobs.queue SET failed_count = 1 WHERE name = $1', [name])
    return () => database.pool.query("DELETE FROM jobs.job WHERE name = $1 AND state = 'failed'", [name])
  },
  async 'domain-refusing'({ context, clock }) {
    const { db } = context.database
    const [since, reply] = [clock.now(), '550 5.7.1 Blocked']
    const refusal = {
      since,
      refusals: 1,
      firstReply: reply,
      lastReply: reply,
      lastRefusedAt: since,
      waits: 1,
    }
    await db.refusingDomain.create({ data: { domain: 'tiny.example', ...refusal } })
    return () => db.refusingDomain.deleteMany()
  },
}

describe.for(Object.entries(problems))('an alert of %s', ([kind, begin]) => {
  it('is told once, again after an hour if it lasts, and once when it is over', async ({ site, check }) => {
    const text = await expectAlertLife({
      kind: alertKind.parse(kind),
      clock: site.clock,
      check,
      begin: () => begin(site),
    })
    expect(text).toContain(`Database: ${new URL(site.context.config.database.url).host}/`)
    expect(text).toMatch(/Since: November 2\d, 2026 at /)
    expect(text).not.toMatch(/tiny\.example|@example\.com/)
  })
})

describe('alerts', () => {
  it('are sent by one of two workers that check at once', async ({ site, other, check }) => {
    const end = await problems['edition-held'](site)
    const { alerts } = other.context
    const [mails] = await Promise.all([check(), alerts.check(), alerts.check(), alerts.check()])
    expect([...mails, ...(await check())].map(({ subject }) => subject)).toEqual([heldSubject])
    await end()
    const [over] = await Promise.all([check(), alerts.check(), alerts.check()])
    expect([...over, ...(await check())]).toHaveLength(1)
  })

  it('of a process that is killed between sending and recording are repeated with the same id', async ({
    site,
    mail: { inbox },
    check,
  }) => {
    const { clock, context } = site
    const end = await problems['edition-held'](site)
    const killed = Promise.withResolvers<void>()
    const sending = createAlerts({
      ...context,
      ...context.config.operator,
      conditions: createConditions({ ...context, dataDir: context.config.dataDir }),
      site: { site: 'localhost', database: 'test' },
      operatorEmails: {
        async send(to: string, email: OperatorEmail, messageId: string) {
          await context.operatorEmails.send(to, email, messageId)
          killed.resolve()
          return await new Promise<boolean>(() => {})
        },
      },
    })
    void sending.check()
    await killed.promise
    const [first] = await inbox.mailsTo(operator)
    await inbox.clear()
    expect(await check()).toEqual([])
    clock.pass(16 * minuteMs)
    const [second, ...more] = await check()
    expect([second?.headers['message-id'], more]).toEqual([first?.headers['message-id'], []])
    expect(first?.headers['message-id']).toMatch(/^<alert-/)
    clock.pass(16 * minuteMs)
    expect(await check()).toEqual([])
    await end()
    await check()
  })

  it('are tried again at the next check while the mail server is unavailable', async ({ site, check }) => {
    const end = await problems['edition-held'](site)
    const { context } = site
    const unavailable = createAlerts({
      ...context,
      ...context.config.operator,
      conditions: createConditions({ ...context, dataDir: context.config.dataDir }),
      site: { site: 'localhost', database: 'test' },
      operatorEmails: { send: () => Promise.reject(new Error('ECONNREFUSED')) },
    })
    await unavailable.check()
    expect((await check()).map(({ subject }) => subject)).toEqual([heldSubject])
    await end()
    await check()
  })

  it('of a problem that comes and goes are sent once an hour', async ({ site, check }) => {
    const subjects: string[] = []
    for (let minutes = 0; minutes < 60; minutes += 10) {
      const end = await problems['refunds-waiting'](site)
      subjects.push(...(await check()).map(({ subject }) => subject))
      await end()
      subjects.push(...(await check()).map(({ subject }) => subject))
      site.clock.pass(10 * minuteMs)
    }
    expect(subjects).toEqual(['Tidings: refunds need you', 'Tidings: over: refunds need you'])
  })

  it('of a copied site say so, while no other email goes out', async ({ site: { context }, check }) => {
    await context.sendingGuard.check()
    await context.sendingGuard.confirm()
    await context.database.pool.query(
      "UPDATE delivery_control SET instance = regexp_replace(instance, '/[0-9]+/', '/1/')",
    )
    const message = { to: 'ann@example.com', subject: '', html: '', text: '', messageId: 'x' }
    await expect(context.mailer.send(message)).rejects.toMatchObject({ code: 'sending-held' })
    const [mail] = await check()
    expect(mail?.text).toContain(
      'Command: tidings deliveries confirm-instance\nSite: localhost:3000\nDatabase: ',
    )
    await context.sendingGuard.confirm()
    await check()
  })

  it.for([
    [8, 100, true],
    [11, 100, false],
  ] as const)('tell of a disk with %i of %i GB: %s', async ([free, size, isTold], { site: { context } }) => {
    const diskOf = async () => ({ freeBytes: free * 1e9, sizeBytes: size * 1e9 })
    const conditions = createConditions({ ...context, dataDir: context.config.dataDir, diskOf })
    const found = await conditions['disk-low'](testNow)
    expect(found?.facts ?? null).toEqual(isTold ? { Free: `${free}.0 GB of ${size}.0 GB` } : null)
  })

  it('tell of a missing backup once the site is a day old, and of one that is older than a day', async ({
    site: { context },
  }) => {
    const { pool } = context.database
    const conditions = createConditions({ ...context, dataDir: context.config.dataDir })
    const { rows } = await pool.query<{ at: Date }>('SELECT min(finished_at) AS at FROM _prisma_migrations')
    const after = (hours: number) => new Date((rows[0]?.at.getTime() ?? 0) + hours * 60 * minuteMs)
    const factsAfter = async (hours: number) => (await conditions['backup-old'](after(hours)))?.facts ?? null
    expect([await factsAfter(23), await factsAfter(25)]).toEqual([null, { 'Last backup': 'none' }])
    await pool.query('INSERT INTO backup_record (id, finished_at, bytes, kind) VALUES ($1, $2, 1, $3)', [
      context.ids.uuid(),
      after(24),
      'full',
    ])
    expect([await factsAfter(47), await factsAfter(49)]).toEqual([
      null,
      { 'Last backup': after(24).toISOString() },
    ])
  })

  it('are not sent for the kinds of OPERATOR_EMAIL_EXCEPT', async ({ site, check }) => {
    site.clock.moveTo(new Date('2027-06-01T00:00:00.000Z'))
    const conditions = createConditions({ ...site.context, dataDir: site.context.config.dataDir })
    expect(await conditions['backup-old'](site.clock.now())).not.toBeNull()
    expect(await check()).toEqual([])
  })
})
