import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { Media } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'

export type MediaRow = Media

/** Returns a picture and notes that its content was uploaded again, so that it is kept; null if there is none. */
export async function renewMedia(db: Db, file: string, now: Date): Promise<MediaRow | null> {
  const [row] = await db.media.updateManyAndReturn({ where: { file }, data: { createdAt: now } })
  return row ?? null
}

/** Adds a picture, unless an upload with the same content did. */
export async function createMedia(tx: Db, media: MediaRow): Promise<void> {
  await tx.media.createMany({ data: [media], skipDuplicates: true })
}

/** Lists those of the pictures that exist. */
export async function listMedia(db: Db, files: readonly string[]): Promise<MediaRow[]> {
  return await db.media.findMany({ where: { file: { in: [...files] } } })
}

/** Returns whether a picture exists, and keeps it until the transaction ends. */
export async function lockMedia(tx: Db, file: string): Promise<boolean> {
  return (await tx.$executeRaw`SELECT FROM media WHERE file = ${file} FOR KEY SHARE`) > 0
}

/** Lists the pictures that the memos of a published edition show. */
export async function listOfEdition(
  db: Db,
  { date, slot }: { date: CalendarDate; slot: string },
): Promise<string[]> {
  const rows = await db.memo.findMany({
    where: { mediaFile: { not: null }, edition: { date: toDatabaseDate(date), slot, status: 'published' } },
    select: { mediaFile: true },
  })
  return rows.flatMap(({ mediaFile }) => (mediaFile === null ? [] : [mediaFile]))
}

/** Lists the pictures that published gated articles show. */
export async function listOfArticles(db: Db): Promise<string[]> {
  const rows = await db.article.findMany({
    where: { mediaFile: { not: null }, status: 'published' },
    select: { mediaFile: true },
  })
  return rows.flatMap(({ mediaFile }) => (mediaFile === null ? [] : [mediaFile]))
}
