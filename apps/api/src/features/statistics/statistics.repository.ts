import { z } from 'zod'
import { DeliveryMethod, DeliveryRunState, EditionStatus } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

/** Days, both included, as the database has them, and the instants at which they begin and end. */
export type Period = { first: Date; last: Date; from: Date; until: Date; timeZone: string }

const deliveredSchema = z.object({
  day: z.date(),
  method: z.enum(DeliveryMethod),
  sent: z.int(),
  failed: z.int(),
})

/** Counts deliveries by the day of their edition or digest, from what triggers count. */
export async function countDelivered(
  db: Db,
  { first, last }: Period,
): Promise<z.infer<typeof deliveredSchema>[]> {
  return await queryRows(db, deliveredSchema)`
    SELECT run.day, counted.method,
      coalesce(sum(counted.count) FILTER (WHERE counted.state IN ('sent', 'delivered')), 0)::int AS sent,
      coalesce(sum(counted.count) FILTER (WHERE counted.state IN ('bounced', 'failed')), 0)::int AS failed
    FROM (
      SELECT delivery_run.id, edition.date AS day FROM edition
      JOIN delivery_run ON delivery_run.edition_id = edition.id
      WHERE edition.date BETWEEN ${first}::date AND ${last}::date
      UNION ALL
      SELECT id, digest_date FROM delivery_run WHERE digest_date BETWEEN ${first}::date AND ${last}::date
    ) run
    JOIN delivery_count counted ON counted.run_id = run.id
    GROUP BY run.day, counted.method
    HAVING sum(counted.count) FILTER (WHERE counted.state IN ('sent', 'delivered', 'bounced', 'failed')) > 0
    ORDER BY run.day, counted.method`
}

const editionSchema = z.object({
  date: z.date(),
  slot: z.string(),
  status: z.enum(EditionStatus),
  run: z.enum(DeliveryRunState).nullable(),
  sent: z.int(),
  failed: z.int(),
  likes: z.int(),
})

/** An edition with what was delivered of it, and the likes of its memos. */
export type CountedEdition = z.infer<typeof editionSchema>

/** Counts the deliveries of each published or held edition, in the order of their times, from what triggers count. */
export async function countByEdition(db: Db, { first, last }: Period): Promise<CountedEdition[]> {
  return await queryRows(db, editionSchema)`
    SELECT edition.date, edition.slot, edition.status, run.state AS run,
      coalesce(sum(counted.count) FILTER (WHERE counted.state IN ('sent', 'delivered')), 0)::int AS sent,
      coalesce(sum(counted.count) FILTER (WHERE counted.state IN ('bounced', 'failed')), 0)::int AS failed,
      (SELECT coalesce(sum(memo.like_count), 0)::int FROM memo WHERE memo.edition_id = edition.id) AS likes
    FROM edition
    LEFT JOIN delivery_run run ON run.edition_id = edition.id
    LEFT JOIN delivery_count counted ON counted.run_id = run.id
    WHERE edition.date BETWEEN ${first}::date AND ${last}::date AND edition.status IN ('published', 'held')
    GROUP BY edition.id, run.id ORDER BY edition.date, edition.publish_at, edition.id`
}

const daySchema = z.object({ day: z.date(), count: z.int() })

/** A number for each day that has one. */
export type CountByDay = z.infer<typeof daySchema>

/** Counts the likes that were given by day. */
export async function countLikes(db: Db, { from, until, timeZone }: Period): Promise<CountByDay[]> {
  return await queryRows(db, daySchema)`
    SELECT (created_at AT TIME ZONE ${timeZone})::date AS day, count(*)::int AS count FROM memo_like
    WHERE created_at >= ${from} AND created_at < ${until} GROUP BY 1`
}

/** Counts the verified members of an app by the day on which they joined. */
export async function countJoined(
  db: Db,
  appId: string,
  { from, until, timeZone }: Period,
): Promise<CountByDay[]> {
  return await queryRows(db, daySchema)`
    SELECT (created_at AT TIME ZONE ${timeZone})::date AS day, count(*)::int AS count FROM member
    WHERE app_id = ${appId} AND verified AND created_at >= ${from} AND created_at < ${until} GROUP BY 1`
}

const planSchema = z.object({ planId: z.string(), count: z.int() })

/** Counts the verified members of an app by active plan; the empty plan has all of them. */
export async function countByPlan(db: Db, appId: string): Promise<Map<string, number>> {
  const rows = await queryRows(db, planSchema)`
    SELECT '' AS "planId", count(*)::int AS count FROM member WHERE app_id = ${appId} AND verified
    UNION ALL
    SELECT plan.plan_id, count(*)::int FROM plan_connection plan JOIN member ON member.id = plan.member_id
    WHERE plan.active AND member.app_id = ${appId} AND member.verified GROUP BY plan.plan_id`
  return new Map(rows.map(({ planId, count }) => [planId, count]))
}

const likedSchema = z.object({
  memo: z.string(),
  title: z.string(),
  date: z.date(),
  slot: z.string(),
  likes: z.int(),
})

/** A memo with the likes that it got. */
export type LikedMemo = z.infer<typeof likedSchema>

/** Lists the published memos that got the most likes. */
export async function listMostLiked(db: Db, { from, until }: Period, limit: number): Promise<LikedMemo[]> {
  return await queryRows(db, likedSchema)`
    SELECT memo.id::text AS memo, memo.title, edition.date, edition.slot, liked.likes
    FROM (
      SELECT memo_id, count(*)::int AS likes FROM memo_like
      WHERE created_at >= ${from} AND created_at < ${until}
      GROUP BY memo_id ORDER BY likes DESC, memo_id LIMIT ${10 * limit}
    ) liked
    JOIN memo ON memo.id = liked.memo_id
    JOIN edition ON edition.id = memo.edition_id AND edition.status = 'published'
    ORDER BY liked.likes DESC, memo.id LIMIT ${limit}`
}
