import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { findEditionById, idOf, listPublishedOfDay } from '../../editions/index.ts'
import { listMemos } from '../../memos/index.ts'
import type { DeliveryContent } from '../delivery-email.ts'
import type { RunRow } from '../ledger/runs.repository.ts'

/** Reads what a run delivers now; null if nothing is published. Memos that were added after sending began are left out. */
export async function readContent(db: Db, run: RunRow): Promise<DeliveryContent | null> {
  const editions = await readEditions(db, run)
  const [first] = editions
  if (first === undefined) return null
  const delivered = run.startedAt === null ? null : new Set(run.memoIds)
  const parts = []
  for (const edition of editions) {
    const memos = await listMemos(db, edition.id)
    const kept = memos.filter(({ id }) => delivered === null || delivered.has(id))
    if (kept.length > 0) parts.push({ edition, memos: kept })
  }
  if (parts.length === 0) return null
  return { kind: run.editionId === null ? 'digest' : 'memo', date: idOf(first).date, editions: parts }
}

async function readEditions(db: Db, { editionId, digestDate }: RunRow) {
  if (digestDate !== null) return await listPublishedOfDay(db, fromDatabaseDate(digestDate))
  const edition = editionId === null ? null : await findEditionById(db, editionId)
  return edition?.status === 'published' ? [edition] : []
}
