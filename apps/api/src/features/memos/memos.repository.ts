import type { Edition, Memo, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import type { EditionId } from '../editions/index.ts'
import { fail } from './memos.errors.ts'

export type MemoRow = Memo

export type MemoWithEdition = Memo & { edition: Edition }

/** The columns that editors set; their HTML is clean. Those with a default may be missing. */
export type MemoContent = Omit<
  Pick<Prisma.MemoUncheckedCreateInput, keyof Memo>,
  'id' | 'editionId' | 'position' | 'likeCount' | 'version' | 'textChangedAt' | 'createdAt' | 'updatedAt'
>

/** Returns the memos of a published edition in order; null when no such edition is published. */
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

/** Returns those of the memos whose edition is published, by publishing time and position. */
export async function listPublishedByIds(db: Db, ids: readonly string[]): Promise<MemoWithEdition[]> {
  return await db.memo.findMany({
    where: { id: { in: [...ids] }, edition: { status: 'published' } },
    include: { edition: true },
    orderBy: [{ edition: { publishAt: 'asc' } }, { position: 'asc' }],
  })
}

export async function listMemoIds(db: Db, editionId: string): Promise<string[]> {
  const rows = await db.memo.findMany({
    where: { editionId },
    orderBy: { position: 'asc' },
    select: { id: true },
  })
  return rows.map((row) => row.id)
}

/** Throws `memo-not-found`. */
export async function getMemo(db: Db, id: string): Promise<MemoWithEdition> {
  const memo = await db.memo.findUnique({ where: { id }, include: { edition: true } })
  if (memo === null) throw fail('memo-not-found')
  return memo
}

export async function countMemos(db: Db, editionId: string): Promise<number> {
  return await db.memo.count({ where: { editionId } })
}

/** Adds `by` to the positions in a range, to make room or close a gap. */
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
  change: Partial<MemoContent> & { position?: number; textChangedAt?: Date },
): Promise<MemoRow> {
  return await tx.memo.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
}

export async function removeMemo(tx: Db, id: string): Promise<void> {
  await tx.memo.delete({ where: { id } })
}
