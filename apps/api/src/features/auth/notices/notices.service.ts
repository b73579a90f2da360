import { z } from 'zod'
import { type Mail, type Mailer, MailRefusedError } from '../../../integrations/mail/mailer.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/database.ts'
import { asObject } from '../../../platform/free-json.ts'
import type { Ids } from '../../../platform/ids.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { MembershipApp, MembershipApps } from '../../../platform/membership-apps/membership-apps.ts'
import { noticeWritten } from './notices.jobs.ts'
import {
  countSentNotices,
  createNotice,
  findUnsentNotice,
  markNoticeSent,
  type NoticeRow,
  removeNotice,
} from './notices.repository.ts'

/** What a member is told about their account. */
const noticeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email-changed'), newEmail: z.string() }),
  z.object({ kind: z.literal('password-changed') }),
  z.object({ kind: z.literal('provider-connected'), providerName: z.string() }),
])
export type Notice = z.infer<typeof noticeSchema>

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
  /** How many notices of a kind one address is mailed at most. */
  mailLimits: { perHour: number; perDay: number }
}

export type NoticeService = {
  /** Writes a notice to an address, in the transaction of what it tells; a job mails it. */
  write(tx: Db, app: MembershipApp, email: string, notice: Notice): Promise<void>
  /** Mails a notice; the job's work. May run twice: the second finds it sent. */
  send(noticeId: string): Promise<void>
}

const hourMs = 3_600_000

/** Mails about an account that carry no code. */
export function createNoticeService(deps: Deps): NoticeService {
  const { database, jobs, mailer, apps, clock, ids, logger, siteUrl, contact, mailLimits } = deps

  function mailOf(to: string, app: MembershipApp, notice: Notice): Mail {
    const resetUrl = new URL('/#/resetpassword', siteUrl.origin).href
    switch (notice.kind) {
      case 'email-changed':
        return { to, appName: app.name, kind: notice.kind, newEmail: notice.newEmail, contact }
      case 'password-changed':
        return { to, appName: app.name, kind: notice.kind, resetUrl }
      case 'provider-connected': {
        const accountUrl = new URL('/#/account/dashboard', siteUrl.origin).href
        return { to, appName: app.name, kind: notice.kind, providerName: notice.providerName, accountUrl }
      }
    }
  }

  /** An address that does not belong to whoever causes notices is not to be flooded with them. */
  async function isTooMany(row: NoticeRow): Promise<boolean> {
    const before = (hours: number) => new Date(row.createdAt.getTime() - hours * hourMs)
    if ((await countSentNotices(database.db, row, before(1))) >= mailLimits.perHour) return true
    return (await countSentNotices(database.db, row, before(24))) >= mailLimits.perDay
  }

  return {
    async write(tx, app, email, { kind, ...details }) {
      const id = ids.uuid()
      await createNotice(tx, { id, appId: app.id, kind, email, details, createdAt: clock.now() })
      await jobs.enqueue(tx, noticeWritten, { noticeId: id })
    },
    async send(noticeId) {
      const row = await findUnsentNotice(database.db, noticeId)
      const app = row === null ? undefined : (await apps.directory()).byId.get(row.appId)
      if (row === null || app === undefined) return
      if (await isTooMany(row)) return await removeNotice(database.db, noticeId)
      const notice = noticeSchema.parse({ ...asObject(row.details), kind: row.kind })
      try {
        await mailer.send(mailOf(row.email, app, notice), { messageId: `notice-${noticeId}` })
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error
        logger.warn({ err: error, noticeId }, 'a notice could not be mailed to its address')
      }
      await markNoticeSent(database.db, noticeId, clock.now())
    },
  }
}
