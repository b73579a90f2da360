import type { MemberSession } from '#generated/prisma/client.ts'
import type { Notification } from '#platform/cache/invalidation.ts'
import type { Db } from '#platform/database.ts'

export type SessionRow = MemberSession

export type NewSession = Pick<MemberSession, 'id' | 'memberId' | 'createdAt' | 'expiresAt' | 'userAgent'>

/** What begins with a session, in the same statement. */
type Beginning = {
  password: { found: string; rehashed: string | null } | undefined
  notification: Notification
  sources: string[]
}

/**
 * Begins a session, notes the login on the member and sends a notification of it, in one statement. False when the
 * password has changed since it was found right, or the member is gone: whoever changed it ends every session, and this
 * one must not slip through.
 */
export async function beginSession(
  db: Db,
  session: NewSession,
  { password, notification, sources }: Beginning,
): Promise<boolean> {
  const { id, memberId, createdAt, expiresAt, userAgent } = session
  const found = password?.found ?? null
  const rehashed = password?.rehashed ?? null
  const begun = await db.$queryRaw<unknown[]>`
    WITH logged_in AS (
      UPDATE member
      SET last_login_at = ${createdAt}, password_hash = coalesce(${rehashed}, password_hash)
      WHERE id = ${memberId} AND (${found}::text IS NULL OR password_hash = ${found})
      RETURNING id
    ), known AS (
      INSERT INTO known_source (member_id, source_hash, last_used_at)
      SELECT DISTINCT id, unnest(${sources}::text[]), ${createdAt}::timestamptz FROM logged_in
      ON CONFLICT (member_id, source_hash) DO UPDATE SET last_used_at = excluded.last_used_at
    ), begun AS (
      INSERT INTO member_session (id, member_id, created_at, last_used_at, expires_at, user_agent)
      SELECT ${id}::uuid, id, ${createdAt}, ${createdAt}, ${expiresAt}, ${userAgent} FROM logged_in
      RETURNING id
    )
    SELECT pg_notify(${notification.channel}, ${notification.payload})::text FROM begun`
  return begun.length === 1
}

export async function findLiveSession(
  db: Db,
  id: string,
  now: Date,
): Promise<(SessionRow & { member: { appId: string } }) | null> {
  return await db.memberSession.findFirst({
    where: { id, expiresAt: { gt: now } },
    include: { member: { select: { appId: true } } },
  })
}

/** The member's living sessions, newest first. */
export async function listLiveSessions(db: Db, memberId: string, now: Date): Promise<SessionRow[]> {
  return await db.memberSession.findMany({
    where: { memberId, expiresAt: { gt: now } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 100,
  })
}

/** Ends sessions of one member: one of them, all but one, or all. Answers which. */
export async function endSessions(
  tx: Db,
  memberId: string,
  which: { only?: string; except?: string } = {},
): Promise<string[]> {
  const { only, except } = which
  const rows = await tx.memberSession.findMany({
    where: {
      memberId,
      ...(only === undefined ? {} : { id: only }),
      ...(except === undefined ? {} : { id: { not: except } }),
    },
    select: { id: true },
  })
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.memberSession.deleteMany({ where: { id: { in: ids } } })
  return ids
}

/** Notes a use on the session and on its member: in two statements, since sessions are locked after their member. */
export async function noteUse(
  db: Db,
  { id, memberId }: Pick<SessionRow, 'id' | 'memberId'>,
  now: Date,
): Promise<void> {
  await db.memberSession.updateMany({ where: { id }, data: { lastUsedAt: now } })
  await db.$executeRaw`UPDATE member SET last_used_at = ${now} WHERE id = ${memberId}`
}

export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.memberSession.deleteMany({ where: { expiresAt: { lt: now } } })
}
