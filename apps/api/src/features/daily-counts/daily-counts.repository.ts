import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

/** The kinds of numbers; see the index. */
export type CountKind = 'link' | 'gone' | 'joined' | 'members' | 'search'

const countedDaySchema = z.object({
  day: z.date(),
  kind: z.enum(['link', 'gone', 'joined', 'members', 'search']),
  label: z.string(),
  count: z.int(),
})

/** A number of one day. */
export type CountedDay = z.infer<typeof countedDaySchema>

/** Adds one to the number of a day. */
export async function addToCount(
  db: Sql,
  { day, kind, label }: { day: Date; kind: CountKind; label: string },
): Promise<void> {
  await db.$queryRaw`
    INSERT INTO daily_count AS counted (day, kind, label, backend, count)
    VALUES (${day}::date, ${kind}, ${label}, pg_backend_pid(), 1)
    ON CONFLICT (day, kind, label, backend) DO UPDATE SET count = counted.count + 1`
}

/** Replaces the numbers of a kind and a day. */
export async function replaceCounts(
  tx: Db,
  { day, kind }: { day: Date; kind: CountKind },
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.dailyCount.deleteMany({ where: { day, kind } })
  const data = [...counts].map(([label, count]) => ({ day, kind, label, count, backend: 0 }))
  await tx.dailyCount.createMany({ data, skipDuplicates: true })
}

/** Lists the numbers of days, both included. */
export async function listCounts(db: Db, days: { first: Date; last: Date }): Promise<CountedDay[]> {
  return await queryRows(db, countedDaySchema)`
    SELECT day, kind, label, sum(count)::int AS count FROM daily_count
    WHERE day BETWEEN ${days.first}::date AND ${days.last}::date GROUP BY day, kind, label ORDER BY day, kind, label`
}

/** Merges the connections' numbers of days before one. */
export async function mergeCounts(tx: Db, before: Date): Promise<void> {
  await tx.$executeRaw`
    WITH removed AS (
      DELETE FROM daily_count WHERE day < ${before}::date AND backend <> 0 RETURNING day, kind, label, count
    )
    INSERT INTO daily_count AS merged (day, kind, label, backend, count)
    SELECT day, kind, label, 0, sum(count)::int FROM removed GROUP BY day, kind, label
    ON CONFLICT (day, kind, label, backend) DO UPDATE SET count = merged.count + excluded.count`
}

export async function removeCounts(db: Db, before: Date): Promise<void> {
  await db.dailyCount.deleteMany({ where: { day: { lt: before } } })
}

/** Stores a search without results, once for each hash, unless the day has too many. */
export async function addMiss(
  db: Sql,
  { day, words, readerHash, most }: { day: Date; words: string; readerHash: string; most: number },
): Promise<void> {
  await db.$queryRaw`
    INSERT INTO search_miss (day, words, reader_hash)
    SELECT ${day}::date, ${words}, ${readerHash}
    WHERE (SELECT count(*) FROM (SELECT FROM search_miss WHERE day = ${day}::date LIMIT ${most}) stored) < ${most}
    ON CONFLICT DO NOTHING`
}

const missedSchema = z.object({ words: z.string(), readers: z.int() })

const countMisses = (condition: Prisma.Sql, threshold: number) => Prisma.sql`
  SELECT day, words, count(*)::int AS readers FROM search_miss
  WHERE ${condition} GROUP BY day, words HAVING count(*) >= ${threshold}`

/** Moves what enough readers searched on days before one to the counts, and forgets the rest with all hashes. */
export async function settleMisses(tx: Db, before: Date, threshold: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO daily_count (day, kind, label, backend, count)
    SELECT day, 'search', words, 0, readers
    FROM (${countMisses(Prisma.sql`day < ${before}::date`, threshold)}) missed
    ON CONFLICT DO NOTHING`
  await tx.searchMiss.deleteMany({ where: { day: { lt: before } } })
}

/** Lists the searches without results that enough readers made in a day, of days, most readers first. */
export async function listMissedSearches(
  db: Db,
  { first, last }: { first: Date; last: Date },
  { threshold, limit }: { threshold: number; limit: number },
): Promise<z.infer<typeof missedSchema>[]> {
  const isOfDays = Prisma.sql`day BETWEEN ${first}::date AND ${last}::date`
  return await queryRows(db, missedSchema)`
    SELECT words, sum(readers)::int AS readers FROM (
      ${countMisses(isOfDays, threshold)}
      UNION ALL SELECT day, label, count FROM daily_count WHERE ${isOfDays} AND kind = 'search'
    ) missed
    GROUP BY words ORDER BY readers DESC, words LIMIT ${limit}`
}
