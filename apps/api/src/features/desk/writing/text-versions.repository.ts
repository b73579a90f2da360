import type { TextVersion } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'

export type TextVersionRow = TextVersion

type By = { id: string; name: string }

/** A typing session ends after this time without a save. */
const sessionMs = 5 * 60_000

/** Adds a version of a memo or article. */
export async function addVersion(
  tx: Db,
  version: { textId: string; kind: TextVersion['kind']; fields: object; by: By | null; now: Date },
): Promise<TextVersionRow> {
  const { textId, kind, fields, by, now } = version
  return await tx.textVersion.create({
    data: {
      textId,
      kind,
      fields: toJson(fields),
      startedAt: now,
      endedAt: now,
      ...(by !== null && { savedById: by.id, savedBy: by.name }),
    },
  })
}

/** Whether a person typed a text, or brought it back from its versions. */
export type WrittenHow = 'typed' | 'restored'

type Session = {
  textId: string
  before: object | null
  after: object
  by: By
  now: Date
  how?: WrittenHow
}

/**
 * Records what an editor saved: the version of their typing session grows, or a session begins. A publication, a restore
 * and the choice of one of two texts end a session. The text before the first one is a version too. Returns whether one begins.
 */
export async function recordSession(
  tx: Db,
  { textId, before, after, by, now, how = 'typed' }: Session,
): Promise<boolean> {
  const open = await tx.textVersion.findFirst({
    where: {
      textId,
      OR: [
        { savedById: by.id, kind: 'session', endedAt: { gt: new Date(now.getTime() - sessionMs) } },
        { kind: { in: ['published', 'restored'] } },
      ],
    },
    orderBy: { id: 'desc' },
    select: { id: true, kind: true, endedAt: true },
  })
  if (how === 'typed' && open?.kind === 'session' && !(await isChosen(tx, textId, open, by))) {
    await tx.textVersion.update({ where: { id: open.id }, data: { fields: toJson(after), endedAt: now } })
    return false
  }
  const earlier = await tx.textVersion.findFirst({ where: { textId }, select: { id: true } })
  if (earlier === null && before !== null)
    await addVersion(tx, { textId, kind: 'first', fields: before, by: null, now })
  const kind = how === 'typed' ? 'session' : 'restored'
  await addVersion(tx, { textId, kind, fields: after, by, now })
  return true
}

/**
 * Returns whether one of two clashing texts was chosen since a session grew. Its own text may be the other one, so the
 * session ends.
 */
async function isChosen(
  tx: Db,
  textId: string,
  open: { id: string; endedAt: Date },
  by: By,
): Promise<boolean> {
  const refused = await tx.textVersion.findMany({
    where: { textId, kind: 'refused' },
    orderBy: { id: 'desc' },
    take: 50,
    select: { id: true, savedById: true, startedAt: true },
  })
  if (refused.some(({ savedById, startedAt }) => savedById === by.id && startedAt >= open.endedAt))
    return true
  if (refused.length === 0) return false
  const later = await tx.textVersion.findMany({
    where: { textId, kind: 'session', id: { gt: open.id }, savedById: { not: by.id } },
    select: { id: true, savedById: true },
  })
  return later.some(({ id, savedById }) =>
    refused.some((each) => each.savedById === savedById && each.id < id),
  )
}

/** Lists a page of the versions of a text, newest first. */
export async function listVersions(
  db: Db,
  textId: string,
  page: { limit: number; before: string | undefined },
): Promise<TextVersionRow[]> {
  return await db.textVersion.findMany({
    where: { textId, ...(page.before !== undefined && { id: { lt: page.before } }) },
    orderBy: { id: 'desc' },
    take: page.limit,
  })
}

export async function findVersion(db: Db, textId: string, id: string): Promise<TextVersionRow | null> {
  return await db.textVersion.findFirst({ where: { id, textId } })
}
