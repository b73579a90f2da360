import { limits } from '@tidings/contracts/limits'
import type { Edition, Memo, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { type Stamp, type Step, savedBy, stampColumns } from '#platform/text/field-versions.ts'
import type { EditionId } from '../editions/index.ts'
import { fail } from './memos.errors.ts'

export type MemoRow = Memo

export type MemoWithEdition = Memo & { edition: Edition }

/** The columns that editors set; their HTML is clean. Those with a default may be missing. */
export type MemoContent = Omit<
  Pick<Prisma.MemoUncheckedCreateInput, keyof Memo>,
  'editionId' | 'position' | 'likeCount' | 'savedById' | 'savedBy' | 'textChangedAt' | 'updatedAt'
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

/** Returns a memo without its edition. */
export async function findMemoRow(db: Db, id: string): Promise<MemoRow | null> {
  return await db.memo.findUnique({ where: { id } })
}

/** Returns the id of a memo's edition; null without the memo. */
export async function findEditionIdOf(db: Db, id: string): Promise<string | null> {
  const row = await db.memo.findUnique({ where: { id }, select: { editionId: true } })
  return row?.editionId ?? null
}

/** Returns those of the memos that exist, in no order. */
export async function findMemosById(db: Db, ids: readonly string[]): Promise<MemoWithEdition[]> {
  return await db.memo.findMany({ where: { id: { in: [...ids] } }, include: { edition: true } })
}

export async function findMemo(db: Db, id: string): Promise<MemoWithEdition | null> {
  return await db.memo.findUnique({ where: { id }, include: { edition: true } })
}

/** Throws `memo-not-found`. */
export async function getMemo(db: Db, id: string): Promise<MemoWithEdition> {
  const memo = await findMemo(db, id)
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
  by: Stamp['by'],
): Promise<MemoRow> {
  return await tx.memo.create({ data: { ...content, editionId, position, ...savedBy(by) } })
}

/** Moves a memo, which is no change of its text. */
export async function moveMemo(tx: Db, id: string, position: number): Promise<MemoRow> {
  return await tx.memo.update({ where: { id }, data: { position } })
}

/** Moves a memo to a position of another edition, or to its end. */
export async function moveToEdition(
  tx: Db,
  { memo, target, position }: { memo: MemoRow; target: Edition; position: number | undefined },
): Promise<MemoRow> {
  const count = await countMemos(tx, target.id)
  const place = Math.min(position ?? count + 1, count + 1)
  if (place <= count) await shiftPositions(tx, target.id, { from: place, to: count }, 1)
  const stored = await tx.memo.update({
    where: { id: memo.id },
    data: { editionId: target.id, position: place },
  })
  await shiftPositions(tx, memo.editionId, { from: memo.position + 1, to: limits.memosPerEdition }, -1)
  return stored
}

/** Sets the positions of all memos of an edition. */
export async function setPositions(tx: Db, editionId: string, ids: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE memo SET position = place.position
    FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS place (id, position)
    WHERE memo.id = place.id AND memo.edition_id = ${editionId}::uuid`
}

/** Stores a change of the text, as the version after `atLeast` or after the memo's own. */
export async function updateMemo(
  tx: Db,
  memo: MemoRow,
  change: Partial<MemoContent> & { textChangedAt?: Date },
  stamp: Step,
): Promise<MemoRow> {
  return await tx.memo.update({ where: { id: memo.id }, data: { ...change, ...stampColumns(memo, stamp) } })
}

export async function removeMemo(tx: Db, id: string): Promise<void> {
  await tx.memo.delete({ where: { id } })
}
