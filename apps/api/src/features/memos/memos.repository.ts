import type { Edition, Memo } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import type { EditionId } from '../editions/index.ts'

/** A memo as it is stored. */
export type MemoRow = Memo

export type MemoWithEdition = Memo & { edition: Edition }

/** What an editor may set on a memo; the HTML is clean. */
export type MemoContent = Pick<
  Memo,
  'title' | 'content' | 'source' | 'mediaFile' | 'mediaTitle' | 'mediaText'
>

/** The memos of a published edition in order; null when no such edition is published. */
export async function listOfPublished(db: Db, { date, slot }: EditionId): Promise<MemoRow[] | null> {
  const edition = await db.edition.findFirst({
    where: { date: toDatabaseDate(date), slot, status: 'published' },
    include: { memos: { orderBy: { position: 'asc' } } },
  })
  return edition?.memos ?? null
}

export async function listMemos(db: Db, editionId: string): Promise<MemoRow[]> {
  return await db.memo.findMany({ where: { editionId }, orderBy: { position: 'asc' } })
}

/** The memos with these ids whose edition is published, in the order of edition and position. */
export async function listPublishedByIds(db: Db, ids: readonly string[]): Promise<MemoWithEdition[]> {
  return await db.memo.findMany({
    where: { id: { in: [...ids] }, edition: { status: 'published' } },
    include: { edition: true },
    orderBy: [{ edition: { publishAt: 'asc' } }, { position: 'asc' }],
  })
}

/** Ids of an edition's memos, in order. */
export async function listMemoIds(db: Db, editionId: string): Promise<string[]> {
  const rows = await db.memo.findMany({
    where: { editionId },
    orderBy: { position: 'asc' },
    select: { id: true },
  })
  return rows.map((row) => row.id)
}

export async function findMemo(db: Db, id: string): Promise<MemoWithEdition | null> {
  return await db.memo.findUnique({ where: { id }, include: { edition: true } })
}

export async function countMemos(db: Db, editionId: string): Promise<number> {
  return await db.memo.count({ where: { editionId } })
}

/** Moves the memos from a place on by `by` places, to make room or to close a gap. */
export async function shiftPositions(
  tx: Db,
  editionId: string,
  range: { from: number; to: number },
  by: 1 | -1,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE memo SET position = position + ${by}
    WHERE edition_id = ${editionId}::uuid AND position BETWEEN ${range.from} AND ${range.to}`
}

export async function createMemo(
  tx: Db,
  editionId: string,
  position: number,
  content: MemoContent,
): Promise<MemoRow> {
  return await tx.memo.create({ data: { ...content, editionId, position } })
}

export async function updateMemo(
  tx: Db,
  id: string,
  change: Partial<MemoContent> & { position?: number },
): Promise<MemoRow> {
  return await tx.memo.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
}

export async function removeMemo(tx: Db, id: string): Promise<void> {
  await tx.memo.delete({ where: { id } })
}
