import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const fileRow = z.object({ file: z.string() })

/** Returns those of these pictures that nothing shows and that were uploaded last before a time. */
export async function listUnreferenced(db: Db, files: readonly string[], before: Date): Promise<string[]> {
  if (files.length === 0) return []
  const rows = await queryRows(db, fileRow)`
    SELECT stored.file FROM unnest(${[...files]}::text[]) AS stored (file)
    WHERE NOT EXISTS (SELECT FROM media WHERE media.file = stored.file AND media.created_at >= ${before})
      AND NOT EXISTS (SELECT FROM memo WHERE memo.media_file = stored.file)
      AND NOT EXISTS (SELECT FROM article WHERE article.media_file = stored.file)
      AND NOT EXISTS (SELECT FROM working_copy WHERE fields ->> 'media' = stored.file AND fields ->> 'media' <> '')
      AND NOT EXISTS (SELECT FROM text_version WHERE fields ->> 'media' = stored.file AND fields ->> 'media' <> '')
      AND NOT EXISTS (SELECT FROM deleted_memo WHERE fields ->> 'media' = stored.file AND fields ->> 'media' <> '')
      AND NOT EXISTS (SELECT FROM member WHERE member.profile_image = stored.file)`
  return rows.map(({ file }) => file)
}

/** Deletes the row of a picture that is still unreferenced. Returns whether it is; it may have no row. */
export async function removeUnreferencedRow(tx: Db, file: string, before: Date): Promise<boolean> {
  // Waits for changes that begin to use the picture; later ones wait for this transaction.
  await tx.$executeRaw`SELECT FROM media WHERE file = ${file} FOR UPDATE`
  const isUnreferenced = (await listUnreferenced(tx, [file], before)).length === 1
  if (isUnreferenced) await tx.media.deleteMany({ where: { file } })
  return isUnreferenced
}
