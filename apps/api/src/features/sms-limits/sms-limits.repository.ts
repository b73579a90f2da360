import { z } from 'zod'
import type { Db, Sql } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import type { UnusedCodes } from './sudden-rise.ts'

const usageRowSchema = z.object({ of: z.string(), count: z.int(), oldest: z.date().nullable() })
const codeStopSchema = z.object({ stoppedUntil: z.date().nullable(), allowedAt: z.date().nullable() })
const ageRowSchema = z.object({ age: z.int().nullable() })
const hourRowSchema = z.object({ day: z.int(), count: z.int() })

/** How many texts count towards a limit, and the time of the oldest. */
export type Usage = Omit<z.infer<typeof usageRowSchema>, 'of'>

/** The texts of a day: all, those to accounts without a plan, and the codes of a number and of a member. */
export type UsageOfDay = Record<'site' | 'withoutPlan' | 'number' | 'member', Usage>

export type CodeStop = z.infer<typeof codeStopSchema>

type NewText = {
  kind: 'code' | 'test'
  numberHash: string
  memberId: string | null
  hasPlan: boolean
  sentAt: Date
}

const daySeconds = 86_400

/** Keeps a member from being deleted until the transaction ends. Returns the id, or null if it is deleted already. */
export async function shareMember(tx: Sql, id: string): Promise<string | null> {
  const [row] = await queryRows(tx, idRowSchema)`SELECT id FROM member WHERE id = ${id} FOR KEY SHARE`
  return row?.id ?? null
}

/** Locks the row of the stop until the transaction ends, so that texts are counted one after another. */
export async function lockStop(tx: Sql): Promise<CodeStop> {
  const [stop] = await queryRows(tx, codeStopSchema)`
    INSERT INTO phone_code_stop AS stop (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = stop.id
    RETURNING stopped_until AS "stoppedUntil", allowed_at AS "allowedAt"`
  return stop ?? { stoppedUntil: null, allowedAt: null }
}

/** Counts the texts since then. Those that Twilio refused cost nothing, but count for the number and the member. */
export async function countUsage(
  tx: Sql,
  { since, numberHash, memberId }: { since: Date; numberHash: string; memberId: string | null },
): Promise<UsageOfDay> {
  const rows = await queryRows(tx, usageRowSchema)`
    SELECT 'site' AS of, count(*)::int, min(sent_at) AS oldest
      FROM limited_text WHERE sent_at > ${since} AND NOT is_refused
    UNION ALL SELECT 'withoutPlan', count(*)::int, min(sent_at)
      FROM limited_text WHERE sent_at > ${since} AND NOT is_refused AND NOT has_plan
    UNION ALL SELECT 'number', count(*)::int, min(sent_at)
      FROM limited_text WHERE number_hash = ${numberHash} AND sent_at > ${since} AND kind = 'code'
    UNION ALL SELECT 'member', count(*)::int, min(sent_at)
      FROM limited_text WHERE member_id = ${memberId} AND sent_at > ${since} AND kind = 'code'`
  const usageOf = (name: string) => rows.find(({ of }) => of === name) ?? { count: 0, oldest: null }
  return {
    site: usageOf('site'),
    withoutPlan: usageOf('withoutPlan'),
    number: usageOf('number'),
    member: usageOf('member'),
  }
}

/**
 * Counts the accounts with unused codes, without codes of the last hour that an operator has seen. Deleted accounts are
 * the fewest that can have requested their codes, so that deletion doesn't multiply an account.
 */
export async function countUnused(
  tx: Sql,
  options: { now: Date; days: number; allowedAt: Date | null; dailyCodesPerMember: number },
): Promise<UnusedCodes> {
  const { now, days, allowedAt, dailyCodesPerMember } = options
  const [first] = await queryRows(tx, ageRowSchema)`
    SELECT extract(epoch FROM ${now}::timestamptz - min(sent_at))::int AS age FROM limited_text WHERE kind = 'code'`
  // A range for each day, so that the index finds one hour of it.
  const hours = await queryRows(tx, hourRowSchema)`
    SELECT day, (
      count(DISTINCT member_id)
      + ceil(count(*) FILTER (WHERE member_id IS NULL) / ${dailyCodesPerMember}::numeric)
    )::int AS count
    FROM generate_series(0, ${days}::int) AS day
    JOIN limited_text ON sent_at <= ${now}::timestamptz - day * interval '24 hours'
      AND sent_at > ${now}::timestamptz - day * interval '24 hours' - interval '1 hour'
    WHERE kind = 'code' AND NOT is_refused AND entered_at IS NULL
      AND (day > 0 OR ${allowedAt}::timestamptz IS NULL OR sent_at > ${allowedAt}::timestamptz)
    GROUP BY day`
  const countOf = (day: number) => hours.find((hour) => hour.day === day)?.count ?? 0
  const known = Math.min(days, Math.floor((first?.age ?? 0) / daySeconds))
  return { now: countOf(0), before: Array.from({ length: Math.max(0, known) }, (_, day) => countOf(day + 1)) }
}

/** Stores a text and returns its id. */
export async function addText(tx: Sql, text: NewText): Promise<string> {
  const [row] = await queryRows(tx, idRowSchema)`
    INSERT INTO limited_text (kind, number_hash, member_id, has_plan, sent_at)
    VALUES (${text.kind}::limited_text_kind, ${text.numberHash}, ${text.memberId}, ${text.hasPlan}, ${text.sentAt})
    RETURNING id`
  return row?.id ?? ''
}

export async function storeStop(tx: Sql, stoppedUntil: Date): Promise<void> {
  await tx.$queryRaw`UPDATE phone_code_stop SET stopped_until = ${stoppedUntil}`
}

/** Ends a stop. Returns whether there was one. */
export async function endStop(db: Db, now: Date): Promise<boolean> {
  const where = { stoppedUntil: { gt: now } }
  const data = { stoppedUntil: null, allowedAt: now }
  return (await db.phoneCodeStop.updateMany({ where, data })).count > 0
}

/** Returns until when codes to new accounts are stopped; null if they are not. */
export async function findStop(db: Db, now: Date): Promise<Date | null> {
  const row = await db.phoneCodeStop.findFirst({ where: { stoppedUntil: { gt: now } } })
  return row?.stoppedUntil ?? null
}

/** Removes a text that was certainly not sent. */
export async function removeText(db: Db, id: string): Promise<void> {
  await db.limitedText.deleteMany({ where: { id } })
}

export async function markRefused(db: Db, id: string): Promise<void> {
  await db.limitedText.updateMany({ where: { id }, data: { isRefused: true } })
}

/** Marks the codes that a member requested for a number as used. */
export async function markEntered(
  tx: Db,
  { memberId, numberHash }: { memberId: string; numberHash: string },
  now: Date,
): Promise<void> {
  const where = { memberId, numberHash, enteredAt: null, isRefused: false }
  await tx.limitedText.updateMany({ where, data: { enteredAt: now } })
}

export async function removeTextsBefore(db: Db, time: Date): Promise<void> {
  await db.limitedText.deleteMany({ where: { sentAt: { lt: time } } })
}
