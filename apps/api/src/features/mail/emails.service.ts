import { type Mailer, MailRefusedError, MailUnavailableError } from '#integrations/mail/mailer.ts'
import type { Db } from '#platform/database.ts'
import { uuidOf } from '#platform/ids.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { mailboxOf } from '#platform/text/email-address.ts'
import {
  countSentEmails,
  createEmail,
  type EmailRow,
  findUnsentEmail,
  markEmailSent,
  removeEmail,
  removeUnsentEmail,
} from './emails.repository.ts'
import { lockAddresses, releaseEmails } from './held-emails.repository.ts'
import { createEmailSite } from './layout/email-site.ts'
import { sendEmail } from './mail.jobs.ts'
import { countEmails } from './outbox-metrics.ts'
import { type CodeEmail, type Email, getEmailDefinition } from './registry.ts'
import { renderEmail } from './render-email.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'apps' | 'clock' | 'ids' | 'logger' | 'metrics'> & {
  mailer: Mailer
  siteUrl: URL
  contact: string
  timeZone: string
  language: string
  /** For each kind of email and mailbox. */
  mailLimits: { perHour: number; perDay: number }
}

type Envelope = { app: MembershipApp; to: string; messageId: string; heldSince?: Date | null }

export type EmailService = ReturnType<typeof createEmailService>

const hourMs = 3_600_000
const automaticHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Sends emails: codes at once, everything else through the outbox. */
export function createEmailService(deps: Deps) {
  const { database, jobs, apps, clock, ids, logger } = deps
  const mailer = countEmails(deps)

  /** Hands an email to the mail server. Returns false if the server refuses it for good. */
  async function deliver(
    { app, to, messageId, heldSince = null }: Envelope,
    kind: string,
    data: unknown,
  ): Promise<boolean> {
    const site = createEmailSite({ ...deps, appName: app.name })
    const rendered = renderEmail(getEmailDefinition(kind), data, site, { heldSince })
    try {
      await mailer.send({ to, ...rendered, messageId, headers: automaticHeaders })
      return true
    } catch (error) {
      if (error instanceof MailRefusedError) {
        logger.warn({ kind, messageId, reason: error.reason }, 'email refused')
        return false
      }
      if (error instanceof MailUnavailableError) {
        const { code, reason } = error
        logger.warn({ kind, messageId, code, reason }, 'email sending failed')
      }
      throw error
    }
  }

  function rowOf(app: MembershipApp, { kind, ...data }: Email, cause: string | undefined) {
    const id = cause === undefined ? ids.uuid() : uuidOf('email', app.id, kind, cause)
    return { id, appId: app.id, kind, data, createdAt: clock.now() }
  }

  /** Stores an email in the caller's transaction; a job sends it. One per kind and `cause`. */
  async function enqueue(
    tx: Db,
    app: MembershipApp,
    to: string,
    email: Email,
    { cause }: { cause?: string } = {},
  ): Promise<void> {
    const row = { ...rowOf(app, email, cause), recipient: to, mailbox: mailboxOf(to) }
    if (await createEmail(tx, row)) await jobs.enqueue(tx, sendEmail, { emailId: row.id })
  }

  return {
    enqueue,
    /**
     * Stores an email for the address that a member proved last (ADR 0071). Without one it is held, and another email
     * asks the member to prove the address. One per kind and `cause`. Does nothing for a deleted member.
     */
    async enqueueToProved(
      tx: Db,
      app: MembershipApp,
      memberId: string,
      email: Email,
      { cause }: { cause: string },
    ): Promise<void> {
      const addresses = await lockAddresses(tx, memberId)
      if (addresses === null) return
      const { email: to, proved } = addresses
      if (proved !== null) return await enqueue(tx, app, proved, email, { cause })
      const held = { ...rowOf(app, email, cause), recipient: '', mailbox: '', heldFor: memberId }
      if (!(await createEmail(tx, held))) return
      await enqueue(tx, app, to, { kind: 'email-waiting' }, { cause: `${memberId} ${to}` })
    },
    /** Sends the held emails of a member to the address that the caller's transaction proves. */
    async release(tx: Db, { id, email }: { id: string; email: string }): Promise<void> {
      const to = { recipient: email, mailbox: mailboxOf(email), now: clock.now() }
      const released = await releaseEmails(tx, id, to)
      await jobs.enqueueAll(
        tx,
        sendEmail,
        released.map((emailId) => ({ emailId })),
      )
    },
    /** Removes the email of this kind and `cause`, unless it was sent. */
    async withdraw(tx: Db, app: MembershipApp, kind: Email['kind'], cause: string): Promise<void> {
      await removeUnsentEmail(tx, uuidOf('email', app.id, kind, cause))
    },
    /** Sends an email of the outbox, once. */
    async send(emailId: string): Promise<void> {
      const row = await findUnsentEmail(database.db, emailId)
      const app = row === null ? undefined : (await apps.directory()).byId.get(row.appId)
      if (row === null || app === undefined) return
      const { kind, recipient: to, data } = row
      const isLimited = !getEmailDefinition(kind).isAboutPayment(data)
      if (isLimited && (await isOverLimit(deps, row))) return await removeEmail(database.db, emailId)
      const heldSince = row.releasedAt === null ? null : row.createdAt
      await deliver({ app, to, messageId: `email-${emailId}`, heldSince }, kind, data)
      await markEmailSent(database.db, emailId, clock.now())
    },
    /** Sends an email with a code at once. Returns false if the mail server refuses the address for good. */
    async sendCode(envelope: Envelope, { kind, ...data }: CodeEmail): Promise<boolean> {
      return await deliver(envelope, kind, data)
    },
  }
}

/** Keeps a mailbox from being flooded by someone who doesn't own it. */
async function isOverLimit({ database, mailLimits }: Deps, row: EmailRow): Promise<boolean> {
  const before = (hours: number) => new Date(row.createdAt.getTime() - hours * hourMs)
  if ((await countSentEmails(database.db, row, before(1))) >= mailLimits.perHour) return true
  return (await countSentEmails(database.db, row, before(24))) >= mailLimits.perDay
}
