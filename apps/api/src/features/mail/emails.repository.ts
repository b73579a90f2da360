import type { OutboxEmail } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type EmailRow = OutboxEmail

// NOTE: longer than the seven days between the warning that an account expires and its removal.
const keptMs = 15 * 24 * 3600 * 1000

/** Stores an email. Returns false, and changes nothing, if its id is taken. */
export async function createEmail(
  tx: Db,
  row: Pick<EmailRow, 'id' | 'appId' | 'kind' | 'recipient' | 'mailbox' | 'createdAt'> &
    Partial<Pick<EmailRow, 'heldFor'>> & { data: object },
): Promise<boolean> {
  // NOTE: without `skipDuplicates` a taken id would abort the caller's transaction.
  const { count } = await tx.outboxEmail.createMany({
    data: [{ ...row, data: toJson(row.data) }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function findUnsentEmail(db: Db, id: string): Promise<EmailRow | null> {
  return await db.outboxEmail.findFirst({ where: { id, sentAt: null, heldFor: null } })
}

/** Counts the emails of this kind that were enqueued for the same mailbox after `since` and sent. */
export async function countSentEmails(db: Db, row: EmailRow, since: Date): Promise<number> {
  const { appId, kind, recipient, mailbox } = row
  // Processes of the former version stored no mailbox.
  const to = mailbox === '' ? { recipient } : { mailbox }
  return await db.outboxEmail.count({
    where: { appId, kind, ...to, createdAt: { gt: since }, sentAt: { not: null } },
  })
}

export async function removeEmail(db: Db, id: string): Promise<void> {
  await db.outboxEmail.deleteMany({ where: { id } })
}

export async function removeUnsentEmail(tx: Db, id: string): Promise<void> {
  await tx.outboxEmail.deleteMany({ where: { id, sentAt: null } })
}

export async function markEmailSent(db: Db, id: string, now: Date): Promise<void> {
  await db.outboxEmail.updateMany({ where: { id }, data: { sentAt: now } })
}

/** Removes emails 15 days after they were enqueued or released; held ones stay. */
export async function removeOldEmails(db: Db, now: Date): Promise<void> {
  const lt = new Date(now.getTime() - keptMs)
  const isReleased = { OR: [{ releasedAt: null }, { releasedAt: { lt } }] }
  await db.outboxEmail.deleteMany({ where: { createdAt: { lt }, heldFor: null, ...isReleased } })
}
