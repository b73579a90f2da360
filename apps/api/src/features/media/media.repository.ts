import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { Media } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'

export type MediaRow = Media

/** Adds a picture, unless an upload with the same content did. */
export async function createMedia(tx: Db, media: Omit<MediaRow, 'createdAt'>): Promise<MediaRow> {
  await tx.media.createMany({ data: [media], skipDuplicates: true })
  return await tx.media.findUniqueOrThrow({ where: { file: media.file } })
}

export async function findMedia(db: Db, file: string): Promise<MediaRow | null> {
  return await db.media.findUnique({ where: { file } })
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
