import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'

const unverifiedSchema = z.object({ id: z.string(), appId: z.string(), email: z.string() })
const removedRowSchema = z.object({ id: z.string(), image: z.string().nullable() })

/** Selects at most `limit` accounts created until `before`; `timeZone` defines their days. */
type Filter = { before: Date; timeZone: string; limit: number }

/** Returns the condition for removal: never paid, not used after the day of sign-up, and no comments, votes or JSON. */
function isUnused({ before, timeZone }: Filter): Prisma.Sql {
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
  SELECT FROM outbox_email warning
  WHERE warning.kind = 'account-expiring' AND warning.app_id = member.app_id
    AND warning.recipient = member.email AND warning.created_at > member.created_at`

/** Locks unused accounts without a warning, oldest first; skips locked rows. */
export async function lockUnwarned(tx: Db, filter: Filter): Promise<z.infer<typeof unverifiedSchema>[]> {
  return await queryRows(tx, unverifiedSchema)`
    SELECT member.id, member.app_id AS "appId", member.email FROM member
    WHERE ${isUnused(filter)} AND NOT EXISTS (${warning})
    ORDER BY member.created_at LIMIT ${filter.limit} FOR UPDATE SKIP LOCKED`
}

/** Removes unused accounts that were warned until `warnedBefore`; returns what the caller must clean up. */
export async function removeWarned(
  tx: Db,
  filter: Filter & { warnedBefore: Date },
): Promise<{ ids: string[]; sessionIds: string[]; images: string[] }> {
  const locked = await queryRows(tx, idRowSchema)`
    SELECT member.id FROM member
    WHERE ${isUnused(filter)} AND EXISTS (${warning} AND warning.sent_at <= ${filter.warnedBefore})
    ORDER BY member.created_at LIMIT ${filter.limit} FOR UPDATE SKIP LOCKED`
  const memberIds = locked.map(({ id }) => id)
  const sessions = await tx.memberSession.findMany({
    where: { memberId: { in: memberIds } },
    select: { id: true },
  })
  // Checked again under the lock, because a comment may have been stored since.
  const removed = await queryRows(tx, removedRowSchema)`
    DELETE FROM member WHERE id = ANY(${memberIds}) AND ${isUnused(filter)} RETURNING id, profile_image AS image`
  return {
    ids: removed.map(({ id }) => id),
    sessionIds: sessions.map(({ id }) => id),
    images: removed.flatMap(({ image }) => image ?? []),
  }
}
