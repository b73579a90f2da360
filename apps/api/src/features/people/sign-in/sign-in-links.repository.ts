import type { SignInLink } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type SignInLinkRow = SignInLink

export async function createLink(tx: Db, row: { id: string; email: string; createdAt: Date }): Promise<void> {
  await tx.signInLink.create({ data: row })
}

export async function findLink(db: Db, id: string): Promise<SignInLinkRow | null> {
  return await db.signInLink.findUnique({ where: { id } })
}

export async function markLinkSent(db: Db, id: string, sentAt: Date): Promise<void> {
  await db.signInLink.updateMany({ where: { id }, data: { sentAt } })
}

/** Claims a link that was created after this time. Returns null if it is over or used. */
export async function claimLink(
  tx: Db,
  id: string,
  { now, createdAfter }: { now: Date; createdAfter: Date },
): Promise<SignInLinkRow | null> {
  const [row] = await tx.signInLink.updateManyAndReturn({
    where: { id, usedAt: null, createdAt: { gt: createdAfter } },
    data: { usedAt: now },
  })
  return row ?? null
}

export async function removeOldLinks(db: Db, createdBefore: Date): Promise<void> {
  await db.signInLink.deleteMany({ where: { createdAt: { lte: createdBefore } } })
}
