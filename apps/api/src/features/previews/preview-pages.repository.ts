import type { PreviewPage } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type PreviewPageRow = PreviewPage

/** Stores a page, and deletes those that have expired. */
export async function createPage(
  db: Db,
  { content, ...page }: Omit<PreviewPageRow, 'content'> & { content: string | Uint8Array },
  now: Date,
): Promise<void> {
  await removeExpired(db, now)
  await db.previewPage.create({ data: { ...page, content: new Uint8Array(Buffer.from(content)) } })
}

export async function findPage(db: Db, tokenHash: string, now: Date): Promise<PreviewPageRow | null> {
  return await db.previewPage.findFirst({ where: { tokenHash, expiresAt: { gt: now } } })
}

export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.previewPage.deleteMany({ where: { expiresAt: { lte: now } } })
}
