import { expect } from 'vitest'
import type { DeliveryRun } from '#generated/prisma/client.ts'
import {
  type BulkMailer,
  type BulkMessage,
  type BulkResult,
  joinFilled,
} from '#integrations/mail/bulk-mailer.ts'
import { createTestDesk } from '../desk.ts'
import { draftEdition } from '../factories/editions.ts'
import { startTestApp, type TestAppOptions, testNow } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { createSharedSite } from './shared-site.ts'
import { startedTest } from './started-test.ts'

/** Seventeen slots a day, so that each test has an edition of its own, and the evening edition `Z`. */
const slots = [...'ABCDEFGHIJKLMNOPQ'].map(
  (label, index) => `${label}=${9 + Math.floor(index / 2)}:${index % 2 === 0 ? '10' : '40'}`,
)

type SentMessage = Omit<BulkMessage, 'html' | 'text'> & { html: string; text: string }

const accepted: BulkResult = { outcome: 'accepted' }

/** Creates a bulk mailer that keeps what it accepts; `answer` decides about each message. */
function createScriptedMailer() {
  const sent: SentMessage[] = []
  const script = { sent, answer: async (_message: BulkMessage): Promise<BulkResult> => accepted }
  const mailer: BulkMailer = {
    concurrency: 2,
    async send(message) {
      const result = await script.answer(message)
      const { html, text, ...rest } = message
      if (result.outcome === 'accepted')
        sent.push({ ...rest, html: joinFilled(html), text: joinFilled(text) })
      return result
    },
    finish() {},
    close() {},
  }
  return { script, mailer }
}

export type DeliverySite = Awaited<ReturnType<typeof startDeliverySite>>

/** Starts a site with a scripted mailer, and the calls that tests of deliveries share. */
async function startDeliverySite(options: Partial<TestAppOptions> = {}) {
  const { script, mailer } = createScriptedMailer()
  const site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    working: false,
    ...options,
    env: { EDITION_SLOTS: `${slots.join(',')},Z=20:00`, ...options.env },
    overrides: { bulkMailer: mailer, ...options.overrides },
  })
  const { context, clock } = site
  const { db } = context.database
  const desk = createTestDesk(site)

  async function runOf(key: string): Promise<DeliveryRun | null> {
    const edition = await db.edition.findMany({ include: { deliveryRun: true }, orderBy: { id: 'desc' } })
    const found = edition.find(({ date, slot }) => key === keyOf(date, slot))
    return found?.deliveryRun ?? null
  }

  async function publishDraft(key: string, body?: object): Promise<DeliveryRun | null> {
    const reply = await desk.call('POST', `/editions/${key}/publish`, body === undefined ? {} : { body })
    expect(reply.statusCode).toBe(200)
    return await runOf(key)
  }

  return {
    site,
    expectNoErrors: site.expectNoErrors,
    close: site.close,
    desk,
    db,
    mailer,
    script,
    runOf,
    publishDraft,
    /** Stores a draft with memos and publishes it. Returns its run. */
    async publish(key: string, titles: readonly string[] = ['First'], body?: object) {
      await draftEdition(context, key, titles)
      return await publishDraft(key, body)
    },
    async withdraw(key: string): Promise<void> {
      const { version } = await desk.read(key)
      const change = { body: { status: 'draft' }, ifMatch: `"${version}"` }
      expect((await desk.call('PUT', `/editions/${key}`, change)).statusCode).toBe(200)
    },
    /** Sends a run once its delay has passed. */
    async send(run: { id: number } | null): Promise<void> {
      clock.pass(60_000)
      await context.sending.send(run?.id ?? 0)
    },
    /** Sends the texts of a run once its delay has passed. */
    async sendSms(run: { id: number } | null): Promise<void> {
      clock.pass(60_000)
      await context.smsSending.send(run?.id ?? 0)
    },
    /** Returns the state and reason of a member's delivery, as `suppressed paused`. */
    async stateOf(run: { id: number } | null, memberId: string): Promise<string> {
      const row = await db.delivery.findFirst({ where: { runId: run?.id ?? 0, memberId } })
      return [row?.state, row?.reason].filter(Boolean).join(' ')
    },
    /** Returns the addresses that got a message with these words, sorted. */
    readersOf: (words: string): string[] =>
      script.sent
        .filter(({ text }) => text.includes(words))
        .map(({ to }) => to)
        .sort(),
    sweep: () => context.deliverySchedule.sweep(),
    findDigest: (isoDate: string) => db.deliveryRun.findUnique({ where: { digestDate: new Date(isoDate) } }),
    /** Forgets members, editions, messages and jobs. */
    async reset(): Promise<void> {
      clock.moveTo(testNow)
      script.sent.length = 0
      script.answer = async () => accepted
      await context.database.pool.query(
        'DELETE FROM member; DELETE FROM memo; DELETE FROM edition; DELETE FROM delivery_run; DELETE FROM delivery_sender; DELETE FROM refusing_domain; DELETE FROM deliverability; DELETE FROM jobs.job',
      )
    },
  }
}

function keyOf(date: Date, slot: string): string {
  const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-')
  return `${month}-${day}-${year.slice(2)}-${slot}`
}

const sharedSite = createSharedSite(() => startDeliverySite())

/** Returns the `it` of a file whose tests share one site that delivers. With options, the site is the file's own. */
export function deliveryTest(options?: Partial<TestAppOptions>) {
  const shared = options === undefined ? sharedSite : null
  const it = startedTest(shared, () => startDeliverySite(options)).extend(
    'delivery',
    { scope: 'file' },
    ({ started }) => started,
  )
  it.beforeEach(({ delivery }) => delivery.reset())
  return it
}
