import type { CalendarDate } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import type { Edition, Prisma } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { queryRows } from '#platform/query-rows.ts'
import type { EditionId } from './edition-keys.ts'

export type EditionRow = Edition

export async function findEdition(db: Db, { date, slot }: EditionId): Promise<EditionRow | null> {
  return await db.edition.findUnique({ where: { date_slot: { date: toDatabaseDate(date), slot } } })
}

export async function findEditionById(db: Db, id: string): Promise<EditionRow | null> {
  return await db.edition.findUnique({ where: { id } })
}

/** Locks the edition until the transaction ends, so that changes of it and its memos run one at a time. */
export async function lockEdition(tx: Db, id: EditionId): Promise<EditionRow | null> {
  await tx.$queryRaw`
    SELECT 1 FROM edition WHERE date = ${toDatabaseDate(id.date)}::date AND slot = ${id.slot} FOR UPDATE`
  return await findEdition(tx, id)
}

export async function lockEditionById(tx: Db, id: string): Promise<EditionRow | null> {
  await tx.$queryRaw`SELECT 1 FROM edition WHERE id = ${id}::uuid FOR UPDATE`
  return await findEditionById(tx, id)
}

/** Creates a draft unless another editor just did. Locks the row either way. */
export async function createDraft(
  tx: Db,
  id: EditionId,
  publishAt: Date,
): Promise<{ edition: EditionRow; created: boolean }> {
  const { count } = await tx.edition.createMany({
    data: [{ date: toDatabaseDate(id.date), slot: id.slot, publishAt }],
    skipDuplicates: true,
  })
  const edition = await lockEdition(tx, id)
  if (edition === null) throw new Error('The edition was deleted while it was created')
  return { edition, created: count === 1 }
}

export async function updateEdition(
  tx: Db,
  id: string,
  change: Omit<Prisma.EditionUpdateInput, 'version'>,
): Promise<EditionRow> {
  return await tx.edition.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
}

export async function removeEdition(tx: Db, id: string): Promise<void> {
  await tx.edition.delete({ where: { id } })
}

/** Lists the slots of a day that have a published edition, in no order. */
export async function listPublishedSlots(db: Db, date: CalendarDate): Promise<string[]> {
  const rows = await db.edition.findMany({
    where: { date: toDatabaseDate(date), status: 'published' },
    select: { slot: true },
  })
  return rows.map((row) => row.slot)
}

/** Lists the published editions of a day, by time. */
export async function listPublishedOfDay(db: Db, date: CalendarDate): Promise<EditionRow[]> {
  return await db.edition.findMany({
    where: { date: toDatabaseDate(date), status: 'published' },
    orderBy: { publishAt: 'asc' },
  })
}

const publishedRowSchema = z.object({ date: z.string(), time_stamp: z.string() })

/** Lists the editions of a day in any status, by time. */
export async function listOfDay(db: Db, date: CalendarDate): Promise<EditionRow[]> {
  return await db.edition.findMany({
    where: { date: toDatabaseDate(date) },
    orderBy: [{ publishAt: 'asc' }, { slot: 'asc' }],
  })
}

/** Lists every published edition in its wire shape, newest first: 11,000 rows in ten years. */
export async function listPublished(db: Db): Promise<{ date: string; time_stamp: string }[]> {
  return await queryRows(db, publishedRowSchema)`
    SELECT to_char(date, 'MM-DD-YY') AS date, slot AS time_stamp
    FROM edition WHERE status = 'published'
    ORDER BY edition.date DESC, publish_at DESC`
}

/** Returns the newest published edition; null before the first one. */
export async function findNewestPublished(db: Db): Promise<EditionRow | null> {
  return await db.edition.findFirst({
    where: { status: 'published' },
    orderBy: [{ date: 'desc' }, { publishAt: 'desc' }],
  })
}

/** Lists the ids of scheduled editions that are due, oldest first. */
export async function listDue(sql: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await queryRows(sql, z.object({ id: z.string() }))`
    SELECT id FROM edition WHERE status = 'scheduled' AND publish_at <= ${now} ORDER BY publish_at LIMIT ${limit}`
  return rows.map((row) => row.id)
}

/** Returns whether an edition has a memo with a title and a text. */
export async function hasFinishedMemo(db: Db, editionId: string): Promise<boolean> {
  const where = { editionId, title: { not: '' }, content: { not: '' } }
  return (await db.memo.findFirst({ where, select: { id: true } })) !== null
}
