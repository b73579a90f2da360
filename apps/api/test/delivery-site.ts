import type { CalendarDate } from '@tidings/contracts/edition-key'
import { expect, test } from 'vitest'
import { createTestDesk } from './desk.ts'
import { draftEdition } from './factories/editions.ts'
import type { ReceivedMail } from './inbox.ts'
import { type MailSite, startMailSite } from './mail-site.ts'
import { type TestAppOptions, testNow } from './test-app.ts'

/** Eighteen slots a day, so that each test has an edition of its own; `Z` is the evening edition. */
const slots = [...'ABCDEFGHIJKLMNOPQ'].map(
  (label, index) => `${label}=${9 + Math.floor(index / 2)}:${index % 2 === 0 ? '10' : '40'}`,
)

/** Starts a site that delivers to an inbox, with the calls that its tests share. */
async function startDeliverySite(options: Partial<TestAppOptions> = {}) {
  const mailSite: MailSite = await startMailSite({
    working: false,
    ...options,
    env: { EDITION_SLOTS: `${slots.join(',')},Z=20:00`, ...options.env },
  })
  const { site, inbox } = mailSite
  const { context, clock } = site
  const desk = createTestDesk(site)

  return {
    ...mailSite,
    desk,
    db: context.database.db,
    /** Stores a draft with memos and publishes it. Returns its run. */
    async publish(key: string, titles: readonly string[] = ['First'], body?: object) {
      await draftEdition(context, key, titles)
      const reply = await desk.call('POST', `/editions/${key}/publish`, body === undefined ? {} : { body })
      expect(reply.statusCode).toBe(200)
      return await this.runOf(key)
    },
    async runOf(key: string) {
      const [edition] = await context.database.db.$queryRaw<{ id: string }[]>`
        SELECT id FROM edition WHERE to_char(date, 'MM-DD-YY') || '-' || slot = ${key}`
      return await context.database.db.deliveryRun.findUnique({ where: { editionId: edition?.id ?? '' } })
    },
    /** Sends a run once its delay has passed. */
    async send(run: { id: number } | null): Promise<void> {
      clock.pass(60_000)
      await context.sending.send(run?.id ?? 0)
    },
    async deliveryOf(run: { id: number } | null, memberId: string) {
      return await context.database.db.delivery.findFirst({ where: { runId: run?.id ?? 0, memberId } })
    },
    /** Returns the emails to an address that contain the words. */
    mails: (email: string, words: string): Promise<ReceivedMail[]> => inbox.mailsTo(email, words),
    resetClock: () => clock.moveTo(testNow),
    digestOf: (date: CalendarDate) =>
      context.database.db.deliveryRun.findUnique({
        where: { digestDate: new Date(Date.UTC(date.year, date.month - 1, date.day)) },
      }),
  }
}

/** Returns the `it` of a file whose tests share one site that delivers. */
export function deliveryTest(options: Partial<TestAppOptions> = {}) {
  return test
    .extend('options', { scope: 'file' }, options)
    .extend('delivery', { scope: 'file' }, async ({ options }, { onCleanup }) => {
      const delivery = await startDeliverySite(options)
      onCleanup(() => delivery.close())
      return delivery
    })
}
