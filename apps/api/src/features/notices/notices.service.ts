import { type Mailer, MailRefusedError } from '#integrations/mail/mailer.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { asObject } from '#platform/free-json.ts'
import { type Ids, uuidOf } from '#platform/ids.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { isPlanNotice, type Notice, noticeSchema } from './notice.ts'
import { createNoticeMails } from './notice-mails.ts'
import { noticeWritten } from './notices.jobs.ts'
import {
  countSentNotices,
  createNotice,
  findUnsentNotice,
  markNoticeSent,
  type NoticeRow,
  removeNotice,
} from './notices.repository.ts'

type Deps = {
  database: Database
  jobs: Jobs
  mailer: Mailer
  apps: MembershipApps
  clock: Clock
  ids: Ids
  logger: Logger
  siteUrl: URL
  /** Where people write to who need help. */
  contact: string
  /** The IANA zone whose days the mails name. */
  timeZone: string
  /** How many notices of a kind one address is mailed at most. */
  mailLimits: { perHour: number; perDay: number }
}

export type NoticeService = {
  /**
   * Writes a notice to an address, in the transaction of what it tells; a job mails it. Of one `cause` an app tells each
   * kind of notice once, also when two transactions find it at once, and for as long as notices are kept.
   */
  write(
    tx: Db,
    app: MembershipApp,
    email: string,
    notice: Notice,
    options?: { cause?: string },
  ): Promise<void>
  /** Mails a notice; the job's work. May run twice: the second finds it sent. */
  send(noticeId: string): Promise<void>
}

const hourMs = 3_600_000

/** Mails about an account that carry no code. */
export function createNoticeService(deps: Deps): NoticeService {
  const { database, jobs, mailer, apps, clock, ids, logger, mailLimits } = deps
  const { mailOf } = createNoticeMails({ url: deps.siteUrl, contact: deps.contact, timeZone: deps.timeZone })

  /** An address that does not belong to whoever causes notices is not to be flooded with them. */
  async function isTooMany(row: NoticeRow): Promise<boolean> {
    const before = (hours: number) => new Date(row.createdAt.getTime() - hours * hourMs)
    if ((await countSentNotices(database.db, row, before(1))) >= mailLimits.perHour) return true
    return (await countSentNotices(database.db, row, before(24))) >= mailLimits.perDay
  }

  return {
    async write(tx, app, email, { kind, ...details }, { cause } = {}) {
      const id = cause === undefined ? ids.uuid() : uuidOf('notice', app.id, kind, cause)
      const isNew = await createNotice(tx, {
        id,
        appId: app.id,
        kind,
        email,
        details,
        createdAt: clock.now(),
      })
      if (isNew) await jobs.enqueue(tx, noticeWritten, { noticeId: id })
    },
    async send(noticeId) {
      const row = await findUnsentNotice(database.db, noticeId)
      const app = row === null ? undefined : (await apps.directory()).byId.get(row.appId)
      if (row === null || app === undefined) return
      const notice = noticeSchema.parse({ ...asObject(row.details), kind: row.kind })
      // What is told of plans has been paid for, and is never left out.
      const isPaidFor =
        isPlanNotice(notice) ||
        (notice.kind === 'account-deleted' && (notice.planName !== null || notice.refunds.length > 0))
      if (!isPaidFor && (await isTooMany(row))) return await removeNotice(database.db, noticeId)
      try {
        await mailer.send(mailOf({ to: row.email, appName: app.name }, notice), {
          messageId: `notice-${noticeId}`,
        })
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error
        logger.warn({ err: error, noticeId }, 'a notice could not be mailed to its address')
      }
      await markNoticeSent(database.db, noticeId, clock.now())
    },
  }
}
