import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { Edition } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import type { EditionId } from './edition-id.ts'

/** An edition as it is stored. */
export type EditionRow = Edition

export async function findEdition(db: Db, { date, slot }: EditionId): Promise<EditionRow | null> {
  return await db.edition.findUnique({ where: { date_slot: { date: toDatabaseDate(date), slot } } })
}

export async function findEditionById(db: Db, id: string): Promise<EditionRow | null> {
  return await db.edition.findUnique({ where: { id } })
}

/** Locks the edition until the transaction ends: changes of it and of its memos happen one after another. */
export async function lockEdition(tx: Db, id: EditionId): Promise<EditionRow | null> {
  await tx.$queryRaw`
    SELECT 1 FROM edition WHERE date = ${toDatabaseDate(id.date)}::date AND slot = ${id.slot} FOR UPDATE`
  return await findEdition(tx, id)
}

/** As {@link lockEdition}, by id. */
export async function lockEditionById(tx: Db, id: string): Promise<EditionRow | null> {
  await tx.$queryRaw`SELECT 1 FROM edition WHERE id = ${id}::uuid FOR UPDATE`
  return await findEditionById(tx, id)
}

/** Creates a draft unless somebody else just did; the row is locked either way. */
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
  if (edition === null) throw new Error('The edition disappeared while it was made')
  return { edition, created: count === 1 }
}

export async function updateEdition(
  tx: Db,
  id: string,
  change: Partial<Pick<EditionRow, 'status' | 'publishAt' | 'publishedAt' | 'heldReason'>>,
): Promise<EditionRow> {
  return await tx.edition.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
}

/** The slots of a day that have a published edition, in no order. */
export async function listPublishedSlots(db: Db, date: CalendarDate): Promise<string[]> {
  const rows = await db.edition.findMany({
    where: { date: toDatabaseDate(date), status: 'published' },
    select: { slot: true },
  })
  return rows.map((row) => row.slot)
}

/** Every published edition, newest first, in the words of the wire: 11,000 rows in ten years. */
export async function listPublished(db: Db): Promise<{ date: string; time_stamp: string }[]> {
  return await db.$queryRaw<{ date: string; time_stamp: string }[]>`
    SELECT to_char(date, 'MM-DD-YY') AS date, slot AS time_stamp
    FROM edition WHERE status = 'published'
    ORDER BY edition.date DESC, publish_at DESC`
}

/** Ids of the scheduled editions whose time has come, oldest first. */
export async function listDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.edition.findMany({
    where: { status: 'scheduled', publishAt: { lte: now } },
    orderBy: { publishAt: 'asc' },
    select: { id: true },
    take: limit,
  })
  return rows.map((row) => row.id)
}

/** A page of editions, newest first, drafts included, each with its number of memos. */
export async function listEditions(
  db: Db,
  page: { limit: number; before: { date: Date; id: string } | null },
): Promise<(EditionRow & { _count: { memos: number } })[]> {
  return await db.edition.findMany({
    ...(page.before === null
      ? {}
      : {
          where: {
            // Said twice, for the index: it cannot start in the middle by the alternatives alone.
            date: { lte: page.before.date },
            OR: [{ date: { lt: page.before.date } }, { date: page.before.date, id: { lt: page.before.id } }],
          },
        }),
    orderBy: [{ date: 'desc' }, { id: 'desc' }],
    take: page.limit,
    include: { _count: { select: { memos: true } } },
  })
}

/** Whether there is anything in the edition to read. */
export async function hasMemos(db: Db, editionId: string): Promise<boolean> {
  return (await db.memo.findFirst({ where: { editionId }, select: { id: true } })) !== null
}
