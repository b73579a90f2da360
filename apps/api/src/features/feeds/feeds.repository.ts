import type { Edition, Memo } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type EditionWithMemos = Edition & { memos: Memo[] }

/** Lists the newest published editions with their memos. */
export async function listNewestEditions(db: Db, limit: number): Promise<EditionWithMemos[]> {
  return await db.edition.findMany({
    where: { status: 'published' },
    orderBy: [{ date: 'desc' }, { publishAt: 'desc' }],
    take: limit,
    include: { memos: { orderBy: { position: 'asc' } } },
  })
}

/** Returns when an edition last changed, withdrawn ones included; null without any. */
export async function findLastChange(db: Db): Promise<Date | null> {
  const { _max } = await db.edition.aggregate({ _max: { updatedAt: true } })
  return _max.updatedAt
}

export async function findFeed(db: Db, memberId: string): Promise<{ createdAt: Date } | null> {
  return await db.memberFeed.findUnique({ where: { memberId }, select: { createdAt: true } })
}

/** Returns whether a token is a member's of the app. */
export async function isFeed(db: Db, appId: string, tokenHash: string): Promise<boolean> {
  return (await db.memberFeed.findFirst({ where: { tokenHash, member: { appId } } })) !== null
}

/** Stores the token of a session's member in place of an earlier one; false if the session has ended. */
export async function storeFeed(
  db: Db,
  session: { id: string; memberId: string },
  { tokenHash, createdAt }: { tokenHash: string; createdAt: Date },
): Promise<boolean> {
  const count = await db.$executeRaw`
    INSERT INTO member_feed (member_id, token_hash, created_at)
    SELECT member_id, ${tokenHash}, ${createdAt} FROM member_session
    WHERE id = ${session.id}::uuid AND member_id = ${session.memberId} FOR KEY SHARE
    ON CONFLICT (member_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at`
  return count > 0
}

/** Ends the member's feed, if there is one. */
export async function removeFeed(db: Db, memberId: string): Promise<void> {
  await db.memberFeed.deleteMany({ where: { memberId } })
}
