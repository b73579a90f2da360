import type { AccountDeletion } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type DeletionRow = AccountDeletion

export async function createDeletion(tx: Db, row: DeletionRow): Promise<void> {
  await tx.accountDeletion.create({ data: row })
}

export async function findDeletion(db: Db, memberId: string): Promise<DeletionRow | null> {
  return await db.accountDeletion.findUnique({ where: { memberId } })
}

/** Locks a deletion, so that its emails are stored in order. */
export async function lockDeletion(tx: Db, memberId: string): Promise<DeletionRow | null> {
  await tx.$queryRaw`SELECT 1 FROM account_deletion WHERE member_id = ${memberId} FOR UPDATE`
  return await findDeletion(tx, memberId)
}

export async function postponeDeletion(db: Db, memberId: string, nextAttemptAt: Date): Promise<void> {
  await db.accountDeletion.updateMany({ where: { memberId }, data: { nextAttemptAt } })
}

/** Returns the members whose deletion is to be continued, the longest waiting first. */
export async function listDueDeletions(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.accountDeletion.findMany({
    where: { nextAttemptAt: { lte: now } },
    orderBy: { nextAttemptAt: 'asc' },
    take: limit,
    select: { memberId: true },
  })
  return rows.map(({ memberId }) => memberId)
}

/** Frees the address and forgets what the emails about the deletion say. */
export async function freeAddress(tx: Db, memberId: string, nextAttemptAt: Date): Promise<void> {
  await tx.accountDeletion.updateMany({
    where: { memberId },
    data: { email: null, recipient: null, planName: null, nextAttemptAt },
  })
}

export async function removeDeletion(tx: Db, memberId: string): Promise<void> {
  await tx.accountDeletion.deleteMany({ where: { memberId } })
}
