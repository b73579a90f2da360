import { type MemoText, memoText } from '@tidings/contracts/desk/memo-text'
import { z } from 'zod'
import { fieldVersionsOf } from '#features/memos/index.ts'
import type { Edition, WorkingCopy } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

/** The working copy of a memo, with its fields as the API names them. */
export type MemoCopy = Omit<WorkingCopy, 'fields' | 'changed'> & {
  fields: MemoText
  changed: Record<string, number>
}

type NewCopy = Omit<MemoCopy, 'kind' | 'createdAt' | 'updatedAt'>

function toCopy(row: WorkingCopy): MemoCopy {
  return { ...row, fields: memoText.parse(row.fields), changed: fieldVersionsOf(row.changed) }
}

export async function findMemoCopy(db: Db, id: string): Promise<MemoCopy | null> {
  const row = await db.workingCopy.findFirst({ where: { id, kind: 'memo' } })
  return row === null ? null : toCopy(row)
}

/** Returns the working copies of some memos with their editions, in no order. */
export async function findMemoCopies(
  db: Db,
  ids: readonly string[],
): Promise<{ copy: MemoCopy; edition: Edition | null }[]> {
  const rows = await db.workingCopy.findMany({
    where: { id: { in: [...ids] }, kind: 'memo' },
    include: { edition: true },
  })
  return rows.map(({ edition, ...row }) => ({ copy: toCopy(row), edition }))
}

/** Lists the working copies of an edition: first those of its memos, then those that readers don't have, by place. */
export async function listMemoCopies(db: Db, editionId: string): Promise<MemoCopy[]> {
  const rows = await db.workingCopy.findMany({
    where: { editionId },
    orderBy: [{ place: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
  })
  return rows.map(toCopy)
}

/** Returns the id of a new memo. Ids grow with time. */
export async function newMemoId(db: Db): Promise<string> {
  const [row] = await queryRows(db, z.object({ id: z.uuid() }))`SELECT uuidv7() AS id`
  if (row === undefined) throw new Error('The database made no id')
  return row.id
}

/** Creates a working copy, or replaces it. */
export async function storeMemoCopy(tx: Db, copy: NewCopy, now: Date): Promise<MemoCopy> {
  const data = {
    ...copy,
    kind: 'memo' as const,
    fields: toJson(copy.fields),
    changed: toJson(copy.changed),
    updatedAt: now,
  }
  return toCopy(
    await tx.workingCopy.upsert({
      where: { id: copy.id },
      create: { ...data, createdAt: now },
      update: data,
    }),
  )
}

/** Places a memo that readers don't have among all memos of its edition, or of another one. */
export async function placeMemoCopy(tx: Db, id: string, place: number, editionId?: string): Promise<void> {
  await tx.workingCopy.update({
    where: { id },
    data: { place, ...(editionId !== undefined && { editionId }) },
  })
}

export async function removeMemoCopy(tx: Db, id: string): Promise<void> {
  await tx.workingCopy.delete({ where: { id } })
}
