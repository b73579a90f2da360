import type pg from 'pg'
import { z } from 'zod'
import type { Config } from '#config/config.ts'
import { decodeStoredPicture } from '#context/stores.ts'
import { readRows } from './connection.ts'
import type { Pictures } from './pictures.ts'

const countsSchema = z.object({
  editions: z.int(),
  memos: z.int(),
  articles: z.int(),
  members: z.int(),
  sessions: z.int(),
  deliveries: z.int(),
})
const selectCounts = `
  SELECT (SELECT count(*)::int FROM edition) AS editions, (SELECT count(*)::int FROM memo) AS memos,
    (SELECT count(*)::int FROM article) AS articles, (SELECT count(*)::int FROM member) AS members,
    (SELECT count(*)::int FROM member_session) AS sessions, (SELECT count(*)::int FROM delivery) AS deliveries`

const editionSchema = z.object({ key: z.string(), memos: z.int(), title: z.string().nullable() })
const selectEdition = `
  SELECT to_char(edition.date, 'MM-DD-YY') || '-' || edition.slot AS key, count(memo.id)::int AS memos,
    (array_agg(memo.title ORDER BY memo.position))[1] AS title
  FROM edition LEFT JOIN memo ON memo.edition_id = edition.id
  WHERE edition.status = 'published' GROUP BY edition.id ORDER BY edition.publish_at DESC LIMIT 1`

/** The content of a restored database. `edition` is the newest published one; null without any. */
export type RestoredRows = {
  counts: z.infer<typeof countsSchema>
  edition: z.infer<typeof editionSchema> | null
}

/** A picture as it was read back after the restore. */
export type RestoredPicture = {
  name: string
  width: number
  height: number
  bytes: number
  /** The reason why it can't be shown; null if it can. */
  problem: string | null
}

/** Counts the rows of a restored database and reads its newest edition. */
export async function readRestoredRows(client: pg.Client): Promise<RestoredRows> {
  const [counts] = await readRows(client, countsSchema, selectCounts)
  const [edition] = await readRows(client, editionSchema, selectEdition)
  if (counts === undefined) throw new Error('The counts have no row.')
  return { counts, edition: edition ?? null }
}

/** Reads a picture back from where the site keeps it, and decodes it. A restore doesn't fail because of one picture. */
export async function readRestoredPicture(
  pictures: Pictures,
  name: string | null,
  { locations }: Config,
): Promise<RestoredPicture | null> {
  if (name === null) return null
  const stored = await pictures.read(name)
  const nothing = { name, width: 0, height: 0, bytes: stored?.byteLength ?? 0 }
  if (stored === null) return { ...nothing, problem: 'it is missing where it was stored' }
  try {
    const { width, height } = await decodeStoredPicture(stored, locations)
    return { ...nothing, width, height, problem: null }
  } catch (error) {
    return { ...nothing, problem: error instanceof Error ? error.message : String(error) }
  }
}
