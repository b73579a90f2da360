import type { CalendarDate } from '@tidings/contracts/edition-key'
import { type EditionRow, listPublishedOfDay } from '#features/editions/index.ts'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'

/** Selects the editions (`edition`) whose own delivery no editor stopped. A digest has no others. */
export const isNotStopped = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM delivery_run AS own WHERE own.edition_id = edition.id AND own.state = 'stopped'
)`

/** Lists the editions that the digest of a day has now, by time. */
export async function listDigestEditions(db: Db, date: CalendarDate): Promise<EditionRow[]> {
  const stopped = await db.edition.findMany({
    where: { date: toDatabaseDate(date), deliveryRun: { is: { state: 'stopped' } } },
    select: { id: true },
  })
  const without = new Set(stopped.map(({ id }) => id))
  return (await listPublishedOfDay(db, date)).filter(({ id }) => !without.has(id))
}

/** Returns when an edition of a day was published, and whether it is delivered; null without a memo or before that. */
export async function findPublication(
  db: Db,
  date: CalendarDate,
  slot: string,
): Promise<{ publishedAt: Date; isDelivered: boolean } | null> {
  const edition = await db.edition.findFirst({
    where: { date: toDatabaseDate(date), slot, status: 'published', memos: { some: {} } },
    select: { publishedAt: true, publishAt: true, deliveryRun: { select: { state: true } } },
  })
  if (edition === null) return null
  const { publishedAt, publishAt, deliveryRun: run } = edition
  return {
    publishedAt: publishedAt ?? publishAt,
    isDelivered: run !== null && run.state !== 'stopped',
  }
}

/** Returns whether the day has a published edition that was delivered, or is being delivered. */
export async function hasDeliveredEdition(db: Db, date: CalendarDate): Promise<boolean> {
  const edition = await db.edition.findFirst({
    where: {
      date: toDatabaseDate(date),
      status: 'published',
      deliveryRun: { is: { state: { not: 'stopped' } } },
      memos: { some: {} },
    },
    select: { id: true },
  })
  return edition !== null
}
