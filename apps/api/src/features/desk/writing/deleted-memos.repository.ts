import { type MemoText, memoText } from '@tidings/contracts/desk/memo-text'
import type { DeletedMemo } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

/** A deleted memo with its fields as the API names them. */
export type DeletedMemoRow = Omit<DeletedMemo, 'fields'> & { fields: MemoText }

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

/** Lists a page of the deleted memos, newest first. */
export async function listDeleted(
  db: Db,
  page: { limit: number; before: string | undefined },
): Promise<DeletedMemoRow[]> {
  const last = page.before === undefined ? null : await findDeleted(db, page.before)
  const rows = await db.deletedMemo.findMany({
    ...(last !== null && {
      where: {
        OR: [
          { deletedAt: { lt: last.deletedAt } },
          { deletedAt: last.deletedAt, memoId: { lt: last.memoId } },
        ],
      },
    }),
    orderBy: [{ deletedAt: 'desc' }, { memoId: 'desc' }],
    take: page.limit,
  })
  return rows.map(toRow)
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
