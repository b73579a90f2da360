import type { ListPlace } from '@tidings/contracts/desk/find'
import { type MemoText, memoText } from '@tidings/contracts/desk/memo-text'
import type { DeletedMemoQuery } from '@tidings/contracts/desk/writing/versions'
import { type DeletedMemo, Prisma } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'

/** A deleted memo with its fields as the API names them. */
export type DeletedMemoRow = Omit<DeletedMemo, 'fields'> & { fields: MemoText }

export type DeletedMemoFilter = Omit<DeletedMemoQuery, 'limit' | 'after'>

type Deletion = {
  id: string
  editionKey: string
  position: number
  wasPublic: boolean
  fields: MemoText
  version: number
  createdAt: Date
  by: { id: string; name: string }
  now: Date
}

/** Keeps a memo that is about to be deleted, with its likes. */
export async function keepDeleted(tx: Db, { id, fields, by, now, ...memo }: Deletion): Promise<void> {
  const likes = await tx.memoLike.findMany({ where: { memoId: id }, select: { readerId: true } })
  const row = await tx.memo.findUnique({ where: { id }, select: { likeCount: true } })
  const data = {
    ...memo,
    fields: toJson(fields),
    likeCount: row?.likeCount ?? 0,
    readerIds: likes.map(({ readerId }) => readerId),
    deletedAt: now,
    deletedById: by.id,
    deletedBy: by.name,
  }
  await tx.deletedMemo.upsert({ where: { memoId: id }, create: { ...data, memoId: id }, update: data })
}

function toRow(row: DeletedMemo): DeletedMemoRow {
  return { ...row, fields: memoText.parse(row.fields) }
}

// An edition key begins with MM-DD-YY.
const editionDay = Prisma.sql`to_date('20' || substr(edition_key, 7, 2) || left(edition_key, 5), 'YYYYMM-DD')`

/** Lists a page of the deleted memos, newest first. Days are those of their editions. */
export async function listDeleted(
  db: Db,
  { limit, before }: { limit: number; before: ListPlace | null },
  { q, from, to, person }: DeletedMemoFilter,
): Promise<DeletedMemoRow[]> {
  const conditions = [
    Prisma.sql`true`,
    ...(q === undefined ? [] : [matchesWords(Prisma.sql`desk_memo_text(fields)`, q)]),
    ...(from === undefined ? [] : [Prisma.sql`${editionDay} >= ${from}::date`]),
    ...(to === undefined ? [] : [Prisma.sql`${editionDay} <= ${to}::date`]),
    ...(person === undefined ? [] : [Prisma.sql`deleted_by_id = ${person}::uuid`]),
    ...(before === null
      ? []
      : [Prisma.sql`(deleted_at, memo_id) < (${before.at}::timestamptz, ${before.id}::uuid)`]),
  ]
  const ids = await queryRows(db, idRowSchema)`
    SELECT memo_id::text AS id FROM deleted_memo WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY deleted_at DESC, deleted_memo.memo_id DESC LIMIT ${limit}`
  const rows = await db.deletedMemo.findMany({
    where: { memoId: { in: ids.map(({ id }) => id) } },
    orderBy: [{ deletedAt: 'desc' }, { memoId: 'desc' }],
  })
  return rows.map(toRow)
}

/** Returns the titles of deleted memos by id. */
export async function findDeletedTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.deletedMemo.findMany({ where: { memoId: { in: [...ids] } } })
  return new Map(rows.map((row) => [row.memoId, toRow(row).fields.title]))
}

async function findDeleted(db: Db, memoId: string): Promise<DeletedMemoRow | null> {
  const row = await db.deletedMemo.findUnique({ where: { memoId } })
  return row === null ? null : toRow(row)
}

/** Locks a deleted memo until the transaction ends; null if there is none. */
export async function lockDeleted(tx: Db, memoId: string): Promise<DeletedMemoRow | null> {
  await tx.$queryRaw`SELECT 1 FROM deleted_memo WHERE memo_id = ${memoId}::uuid FOR UPDATE`
  return await findDeleted(tx, memoId)
}

/** Gives a memo that is back its likes, and forgets that it was deleted. */
export async function forgetDeleted(tx: Db, { memoId, readerIds, likeCount }: DeletedMemoRow): Promise<void> {
  const memo = await tx.memo.findUnique({ where: { id: memoId }, select: { id: true } })
  if (memo !== null) {
    const likes = readerIds.map((readerId) => ({ memoId, readerId }))
    await tx.memoLike.createMany({ data: likes, skipDuplicates: true })
    await tx.memo.update({ where: { id: memoId }, data: { likeCount } })
  }
  await tx.deletedMemo.delete({ where: { memoId } })
}

/** Deletes for good what was deleted before an instant. */
export async function removeDeletedBefore(db: Db, before: Date): Promise<void> {
  await db.deletedMemo.deleteMany({ where: { deletedAt: { lt: before } } })
}
