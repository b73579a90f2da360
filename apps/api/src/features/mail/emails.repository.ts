import type { AccountNotice } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type EmailRow = AccountNotice

// NOTE: longer than the seven days that lie between the warning of a removal and the removal.
const keptMs = 15 * 24 * 3600 * 1000

/** Stores an email; answers false when there is one of this id already, which stays as it is. */
export async function createEmail(
  tx: Db,
  email: Pick<AccountNotice, 'id' | 'appId' | 'kind' | 'email' | 'createdAt'> & { details: object },
): Promise<boolean> {
  // NOTE: an insert that met the id would end the whole transaction, were it not skipped.
  const { count } = await tx.accountNotice.createMany({
    data: [{ ...email, details: toJson(email.details) }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function findUnsentEmail(db: Db, id: string): Promise<EmailRow | null> {
  return await db.accountNotice.findFirst({ where: { id, sentAt: null } })
}

/** How many emails of this kind the address was mailed of those written after `since`. */
export async function countSentEmails(db: Db, row: EmailRow, since: Date): Promise<number> {
  const { appId, kind, email } = row
  return await db.accountNotice.count({
    where: { appId, kind, email, createdAt: { gt: since }, sentAt: { not: null } },
  })
}

/** Takes an email that shall not be mailed off the list. */
export async function removeEmail(db: Db, id: string): Promise<void> {
  await db.accountNotice.deleteMany({ where: { id } })
}

export async function markEmailSent(db: Db, id: string, now: Date): Promise<void> {
  await db.accountNotice.updateMany({ where: { id }, data: { sentAt: now } })
}

/** Removes emails 15 days after they were written. */
export async function removeOldEmails(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await db.accountNotice.deleteMany({ where: { createdAt: { lt: before } } })
}
