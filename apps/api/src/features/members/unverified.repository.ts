import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** An account without a verified address that nobody has used after the day of sign-up. */
type Unverified = { id: string; appId: string; email: string }

/** Accounts made until `before`; days are those of the zone. At most `limit` of them. */
type Which = { before: Date; timeZone: string; limit: number }

/**
 * The accounts that may be removed: they never paid, were not used after the day of sign-up, and hold no comments, votes
 * or JSON.
 */
function isUnused({ before, timeZone }: Which): Prisma.Sql {
  return Prisma.sql`
    NOT member.verified AND member.stripe_customer_id IS NULL AND member.created_at <= ${before}
    AND member.json = '{}'::jsonb
    AND (greatest(member.created_at, member.last_login_at, member.last_used_at) AT TIME ZONE ${timeZone})::date
      = (member.created_at AT TIME ZONE ${timeZone})::date
    AND NOT EXISTS (SELECT FROM payment_customer paying WHERE paying.member_id = member.id)
    AND NOT EXISTS (SELECT FROM plan_connection plan WHERE plan.member_id = member.id AND plan.type <> 'FREE')
    AND NOT EXISTS (SELECT FROM comment_post post WHERE post.member_id = member.id)
    AND NOT EXISTS (SELECT FROM comment_thread thread WHERE thread.member_id = member.id)
    AND NOT EXISTS (SELECT FROM comment_post_vote vote WHERE vote.member_id = member.id)
    AND NOT EXISTS (SELECT FROM comment_thread_vote vote WHERE vote.member_id = member.id)`
}

const warning = Prisma.sql`
  SELECT FROM account_notice notice
  WHERE notice.kind = 'account-expiring' AND notice.app_id = member.app_id AND notice.email = member.email
    AND notice.created_at > member.created_at`

/** Locks unused accounts without a warning, oldest first; skips those that another process holds. */
export async function lockUnwarned(tx: Db, which: Which): Promise<Unverified[]> {
  return await tx.$queryRaw<Unverified[]>`
    SELECT member.id, member.app_id AS "appId", member.email FROM member
    WHERE ${isUnused(which)} AND NOT EXISTS (${warning})
    ORDER BY member.created_at LIMIT ${which.limit} FOR UPDATE SKIP LOCKED`
}

/**
 * Removes unused accounts whose warning was sent until `warnedBefore`, with all that hangs on them; returns what the
 * caller has to clean up.
 */
export async function removeWarned(
  tx: Db,
  which: Which & { warnedBefore: Date },
): Promise<{ ids: string[]; sessionIds: string[]; images: string[] }> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT member.id FROM member
    WHERE ${isUnused(which)} AND EXISTS (${warning} AND notice.sent_at <= ${which.warnedBefore})
    ORDER BY member.created_at LIMIT ${which.limit} FOR UPDATE SKIP LOCKED`
  const memberIds = locked.map(({ id }) => id)
  const sessions = await tx.memberSession.findMany({
    where: { memberId: { in: memberIds } },
    select: { id: true },
  })
  // Asked again, now that the rows are held: a comment may have come since the first statement began.
  const removed = await tx.$queryRaw<{ id: string; image: string | null }[]>`
    DELETE FROM member WHERE id = ANY(${memberIds}) AND ${isUnused(which)} RETURNING id, profile_image AS image`
  return {
    ids: removed.map(({ id }) => id),
    sessionIds: sessions.map(({ id }) => id),
    images: removed.flatMap(({ image }) => image ?? []),
  }
}
