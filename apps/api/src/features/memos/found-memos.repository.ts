import type { ListPlace } from '@tidings/contracts/desk/find'
import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import {
  type EditionFilter,
  editionConditions,
  memoConditions,
  memoCopyConditions,
} from '../editions/index.ts'

const placeSchema = z.object({ at: z.string(), id: z.string() })

/**
 * Finds a page of memos in editions of every status, newest day first and the newest memo first in a day. A memo is found by
 * its own text and by that of its working copy, and once.
 */
export async function findMemos(
  db: Db,
  { limit, before }: { limit: number; before: ListPlace | null },
  filter: EditionFilter,
): Promise<ListPlace[]> {
  const pageOf = (table: Prisma.Sql, texts: readonly Prisma.Sql[]) => {
    const conditions = [
      ...editionConditions(filter),
      ...texts,
      ...(before === null
        ? []
        : // The first condition lets the query start in the middle of the index.
          [
            Prisma.sql`edition.date <= ${before.at}::date`,
            Prisma.sql`(edition.date, ${table}.id) < (${before.at}::date, ${before.id}::uuid)`,
          ]),
    ]
    return Prisma.sql`
      SELECT edition.date, ${table}.id FROM ${table} JOIN edition ON edition.id = ${table}.edition_id
      WHERE ${Prisma.join([Prisma.sql`true`, ...conditions], ' AND ')}
      ORDER BY edition.date DESC, ${table}.id DESC LIMIT ${limit}`
  }
  return await queryRows(db, placeSchema)`
    SELECT date::text AS at, id::text FROM (
      (${pageOf(Prisma.sql`memo`, memoConditions(filter))})
      UNION
      (${pageOf(Prisma.sql`working_copy`, memoCopyConditions(filter))})
    ) found
    ORDER BY date DESC, id DESC LIMIT ${limit}`
}
