import type { MemberSession } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type SessionRow = MemberSession

type NewSession = Pick<SessionRow, 'id' | 'memberId' | 'createdAt' | 'expiresAt' | 'userAgent'> & {
  password: { found: string; rehashed: string | null } | undefined
  sources: string[]
}

/**
 * Inserts a session, its member's last login and the known sources in one statement. Returns false if the member is gone or the password has changed since it was verified, which has ended all sessions.
 */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  const { id, memberId, createdAt, expiresAt, userAgent, password, sources } = session
  const found = password?.found ?? null
  const rehashed = password?.rehashed ?? null
  const begun = await db.$queryRaw`
    WITH logged_in AS (
      UPDATE member
      SET last_login_at = ${createdAt}, password_hash = coalesce(${rehashed}, password_hash)
      WHERE id = ${memberId} AND (${found}::text IS NULL OR password_hash = ${found})
      RETURNING id
    ), known AS (
      INSERT INTO known_source (member_id, source_hash, last_used_at)
      SELECT DISTINCT id, unnest(${sources}::text[]), ${createdAt}::timestamptz FROM logged_in
      ON CONFLICT (member_id, source_hash) DO UPDATE SET last_used_at = excluded.last_used_at
    )
    INSERT INTO member_session (id, member_id, created_at, last_used_at, expires_at, user_agent)
    SELECT ${id}::uuid, id, ${createdAt}, ${createdAt}, ${expiresAt}, ${userAgent} FROM logged_in
    RETURNING id::text`
  return begun.length === 1
}

export async function findActiveSession(
  db: Db,
  id: string,
  now: Date,
): Promise<(SessionRow & { member: { appId: string } }) | null> {
  return await db.memberSession.findFirst({
    where: { id, expiresAt: { gt: now } },
    include: { member: { select: { appId: true } } },
  })
}

/** Returns the member's active sessions, newest first. */
export async function listActiveSessions(db: Db, memberId: string, now: Date): Promise<SessionRow[]> {
  return await db.memberSession.findMany({
    where: { memberId, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 100,
  })
}

/** Ends a member's sessions, or those of them that `which` selects, with their notified browsers. Returns their ids. */
export async function removeSessions(
  tx: Db,
  memberId: string,
  which: { id?: string | { not: string } } = {},
): Promise<string[]> {
  const rows = await tx.memberSession.findMany({ where: { memberId, ...which }, select: { id: true } })
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.memberSession.deleteMany({ where: { id: { in: ids } } })
  return ids
}

/** Stores when a session and its member were last used. Two statements, as sessions are locked after their member. */
export async function storeLastUse(
  db: Db,
  { id, memberId }: Pick<SessionRow, 'id' | 'memberId'>,
  now: Date,
): Promise<void> {
  await db.memberSession.updateMany({ where: { id }, data: { lastUsedAt: now } })
  await db.$executeRaw`UPDATE member SET last_used_at = ${now} WHERE id = ${memberId}`
}

/** Removes expired sessions. Their browsers stay notified, because no member has logged out (ADR 0079). */
export async function removeExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE push_device SET session_id = NULL
    FROM member_session AS session
    WHERE session.id = push_device.session_id AND session.expires_at < ${now}`
  await db.memberSession.deleteMany({ where: { expiresAt: { lt: now } } })
}
