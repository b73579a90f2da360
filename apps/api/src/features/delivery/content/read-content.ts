import { type EditionRow, findEditionById, idOf, listPublishedOfDay } from '#features/editions/index.ts'
import { listMemos } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import type { DeliveryContent } from '../delivery-email.ts'
import type { RunRow } from '../ledger/runs.repository.ts'

/** Reads the content of a run; null if nothing is published. Leaves out memos that were added after sending began. */
export async function readContent(db: Db, run: RunRow): Promise<DeliveryContent | null> {
  const editions = await readEditions(db, run)
  const delivered = run.startedAt === null ? null : new Set(run.memoIds)
  return await contentOf(db, run.editionId === null ? 'digest' : 'memo', editions, delivered)
}

async function readEditions(db: Db, { editionId, digestDate }: RunRow): Promise<EditionRow[]> {
  if (digestDate !== null) return await listPublishedOfDay(db, fromDatabaseDate(digestDate))
  const edition = editionId === null ? null : await findEditionById(db, editionId)
  return edition?.status === 'published' ? [edition] : []
}

/** Reads the memos of editions, in order; null if there are none. `only` limits them to these ids. */
export async function contentOf(
  db: Db,
  kind: DeliveryContent['kind'],
  editions: readonly EditionRow[],
  only: ReadonlySet<string> | null = null,
): Promise<DeliveryContent | null> {
  const parts = []
  for (const edition of editions) {
    const memos = (await listMemos(db, edition.id)).filter(({ id }) => only === null || only.has(id))
    if (memos.length > 0) parts.push({ edition, memos })
  }
  const [first] = parts
  return first === undefined ? null : { kind, date: idOf(first.edition).date, editions: parts }
}
