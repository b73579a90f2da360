import type { AccountNotice } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type NoticeRow = AccountNotice

// NOTE: longer than the seven days that lie between the warning of a removal and the removal.
const keptMs = 15 * 24 * 3600 * 1000

/** Stores a notice; answers false when there is one of this id already, which stays as it is. */
export async function createNotice(
  tx: Db,
  notice: Pick<AccountNotice, 'id' | 'appId' | 'kind' | 'email' | 'createdAt'> & { details: object },
): Promise<boolean> {
  // NOTE: an insert that met the id would end the whole transaction, were it not skipped.
  const { count } = await tx.accountNotice.createMany({
    data: [{ ...notice, details: toJson(notice.details) }],
    skipDuplicates: true,
  })
  return count === 1
}

export async function findUnsentNotice(db: Db, id: string): Promise<NoticeRow | null> {
  return await db.accountNotice.findFirst({ where: { id, sentAt: null } })
}

/** How many notices of this kind the address was mailed of those written after `since`. */
export async function countSentNotices(db: Db, notice: NoticeRow, since: Date): Promise<number> {
  const { appId, kind, email } = notice
  return await db.accountNotice.count({
    where: { appId, kind, email, createdAt: { gt: since }, sentAt: { not: null } },
  })
}

/** Takes a notice that shall not be mailed off the list. */
export async function removeNotice(db: Db, id: string): Promise<void> {
  await db.accountNotice.deleteMany({ where: { id } })
}

export async function markNoticeSent(db: Db, id: string, now: Date): Promise<void> {
  await db.accountNotice.updateMany({ where: { id }, data: { sentAt: now } })
}

/** Removes notices 15 days after they were written. */
export async function removeOldNotices(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMs)
  await db.accountNotice.deleteMany({ where: { createdAt: { lt: before } } })
}
