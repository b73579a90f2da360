import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const duplicateRowSchema = z.object({
  memoId: z.string(),
  id: z.string(),
  date: z.date(),
  slot: z.string(),
  title: z.string(),
  similarity: z.number(),
})

export type DuplicateRow = z.infer<typeof duplicateRowSchema>

/** Similar titles share this part of their groups of three letters. */
const leastSimilarity = 0.6

/** Lists the memos of the days around an edition whose titles are like one of its own, the most similar first. */
export async function listDuplicates(
  db: Db,
  { editionId, from, to }: { editionId: string; from: Date; to: Date },
): Promise<DuplicateRow[]> {
  return await queryRows(db, duplicateRowSchema)`
    WITH own AS MATERIALIZED (
      SELECT id, search_letters(title) AS letters FROM memo
      WHERE edition_id = ${editionId}::uuid AND title <> ''
    ), other AS MATERIALIZED (
      SELECT memo.id, memo.title, edition.date, edition.slot,
        coalesce(search.title_letters, search_letters(memo.title)) AS letters
      FROM edition JOIN memo ON memo.edition_id = edition.id LEFT JOIN memo_search AS search ON search.memo_id = memo.id
      WHERE edition.date BETWEEN ${from}::date AND ${to}::date AND memo.title <> ''
    )
    SELECT own.id::text AS "memoId", other.id::text, other.title, other.date, other.slot,
      similarity(own.letters, other.letters)::float8 AS similarity
    FROM own JOIN other ON other.id <> own.id
    WHERE similarity(own.letters, other.letters) >= ${leastSimilarity}
    ORDER BY similarity DESC, other.id DESC`
}
