import type { LinkCheck } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { uuidOf } from '#platform/ids.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'

export type LinkCheckRow = LinkCheck

/** Returns the id of an address. */
export function linkIdOf(url: string): string {
  return uuidOf('link', url)
}

/**
 * Notes that these addresses are to be asked: those whose result is from before `staleAt`, and for which no one asks since
 * `lostAt`. Returns the ids of those.
 */
export async function requestLinks(
  tx: Db,
  urls: readonly string[],
  { now, staleAt, lostAt }: { now: Date; staleAt: Date; lostAt: Date },
): Promise<string[]> {
  // In one order, so that two editions with the same links don't wait for each other.
  const links = urls.map((url) => ({ id: linkIdOf(url), url })).sort((a, b) => (a.id < b.id ? -1 : 1))
  const rows = await queryRows(tx, idRowSchema)`
    INSERT INTO link_check AS link (id, url, requested_at)
    SELECT given.id::uuid, given.url, ${now}
    FROM unnest(${links.map(({ id }) => id)}::text[], ${links.map(({ url }) => url)}::text[]) AS given (id, url)
    ON CONFLICT (id) DO UPDATE SET requested_at = excluded.requested_at
    WHERE coalesce(link.checked_at <= ${staleAt}, true)
      AND (link.requested_at <= ${lostAt} OR link.checked_at >= link.requested_at)
    RETURNING link.id::text`
  return rows.map(({ id }) => id)
}

export async function listLinks(db: Db, ids: readonly string[]): Promise<LinkCheckRow[]> {
  return await db.linkCheck.findMany({ where: { id: { in: [...ids] } } })
}

/** Stores what an address led to. */
export async function storeResult(
  db: Db,
  url: string,
  result: Pick<LinkCheckRow, 'outcome' | 'status'>,
  now: Date,
): Promise<LinkCheckRow> {
  const id = linkIdOf(url)
  const checked = { ...result, checkedAt: now }
  return await db.linkCheck.upsert({
    where: { id },
    create: { id, url, ...checked, requestedAt: now },
    update: checked,
  })
}

export async function removeLinks(db: Db, before: Date): Promise<void> {
  await db.linkCheck.deleteMany({ where: { requestedAt: { lt: before } } })
}
