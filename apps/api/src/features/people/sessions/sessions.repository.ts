import type { DeskSession, Person } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type SessionRow = DeskSession

export async function createSession(tx: Db, row: Omit<SessionRow, 'id'>): Promise<SessionRow> {
  return await tx.deskSession.create({ data: row })
}

export async function findSession(
  db: Db,
  secretHash: string,
): Promise<(SessionRow & { person: Person }) | null> {
  return await db.deskSession.findUnique({ where: { secretHash }, include: { person: true } })
}

/** Lists the sessions of a person that are not over: used and created after these times. */
export async function listActiveSessions(
  db: Db,
  personId: string,
  { usedAfter, createdAfter }: { usedAfter: Date; createdAfter: Date },
): Promise<SessionRow[]> {
  return await db.deskSession.findMany({
    where: { personId, lastUsedAt: { gt: usedAfter }, createdAt: { gt: createdAfter } },
    orderBy: { lastUsedAt: 'desc' },
  })
}

export async function updateSession(
  db: Db,
  id: string,
  data: { lastUsedAt?: Date; provedAt?: Date },
): Promise<void> {
  await db.deskSession.updateMany({ where: { id }, data })
}

export async function removeSession(db: Db, personId: string, id: string): Promise<boolean> {
  const { count } = await db.deskSession.deleteMany({ where: { id, personId } })
  return count === 1
}

export async function removeOldSessions(
  db: Db,
  { usedAfter, createdAfter }: { usedAfter: Date; createdAfter: Date },
): Promise<void> {
  await db.deskSession.deleteMany({
    where: { OR: [{ lastUsedAt: { lte: usedAfter } }, { createdAt: { lte: createdAfter } }] },
  })
}
