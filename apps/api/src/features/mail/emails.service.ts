import { type Mailer, MailRefusedError } from '#integrations/mail/mailer.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import { asObject } from '#platform/free-json.ts'
import { type Ids, uuidOf } from '#platform/ids.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { type Email, emailSchema, isPlanEmail } from './email.ts'
import { createEmailLinks } from './email-links.ts'
import {
  countSentEmails,
  createEmail,
  type EmailRow,
  findUnsentEmail,
  markEmailSent,
  removeEmail,
} from './emails.repository.ts'
import { sendEmail } from './mail.jobs.ts'

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
  /** How many emails of a kind one address is mailed at most. */
  mailLimits: { perHour: number; perDay: number }
}

export type EmailService = {
  /**
   * Writes an email to an address, in the transaction of what it tells; a job mails it. Of one `cause` an app tells each
   * kind of email once, also when two transactions find it at once, and for as long as emails are kept.
   */
  enqueue(tx: Db, app: MembershipApp, to: string, email: Email, options?: { cause?: string }): Promise<void>
  /** Mails an email; the job's work. May run twice: the second finds it sent. */
  send(emailId: string): Promise<void>
}

const hourMs = 3_600_000

/** Mails about an account that carry no code. */
export function createEmailService(deps: Deps): EmailService {
  const { database, jobs, mailer, apps, clock, ids, logger, mailLimits } = deps
  const { mailOf } = createEmailLinks({ url: deps.siteUrl, contact: deps.contact, timeZone: deps.timeZone })

  /** An address that does not belong to whoever causes emails is not to be flooded with them. */
  async function isTooMany(row: EmailRow): Promise<boolean> {
    const before = (hours: number) => new Date(row.createdAt.getTime() - hours * hourMs)
    if ((await countSentEmails(database.db, row, before(1))) >= mailLimits.perHour) return true
    return (await countSentEmails(database.db, row, before(24))) >= mailLimits.perDay
  }

  return {
    async enqueue(tx, app, to, { kind, ...details }, { cause } = {}) {
      const id = cause === undefined ? ids.uuid() : uuidOf('email', app.id, kind, cause)
      const isNew = await createEmail(tx, {
        id,
        appId: app.id,
        kind,
        email: to,
        details,
        createdAt: clock.now(),
      })
      if (isNew) await jobs.enqueue(tx, sendEmail, { emailId: id })
    },
    async send(emailId) {
      const row = await findUnsentEmail(database.db, emailId)
      const app = row === null ? undefined : (await apps.directory()).byId.get(row.appId)
      if (row === null || app === undefined) return
      const email = emailSchema.parse({ ...asObject(row.details), kind: row.kind })
      // What is told of plans has been paid for, and is never left out.
      const isPaidFor =
        isPlanEmail(email) ||
        (email.kind === 'account-deleted' && (email.planName !== null || email.refunds.length > 0))
      if (!isPaidFor && (await isTooMany(row))) return await removeEmail(database.db, emailId)
      try {
        await mailer.send(mailOf({ to: row.email, appName: app.name }, email), {
          messageId: `email-${emailId}`,
        })
      } catch (error) {
        if (!(error instanceof MailRefusedError)) throw error
        logger.warn({ err: error, emailId }, 'email refused')
      }
      await markEmailSent(database.db, emailId, clock.now())
    },
  }
}
