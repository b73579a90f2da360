import type { TextVersion } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { hasOtherWords } from './compare-texts.ts'

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
 * Records what an editor saved: the version of their typing session grows, or a session begins. A publication and a restore
 * end a session, and so does the choice of another text over its words. The text before the first one is a version too.
 * Returns whether one begins.
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
    select: { id: true, kind: true, fields: true, endedAt: true },
  })
  const isOpen = how === 'typed' && open?.kind === 'session'
  if (isOpen && !(await isChosen(tx, open, { textId, before, by }))) {
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
 * Returns whether one of two clashing texts was chosen since a session grew: the person's own text was refused, or words of
 * the session are gone, which nothing else may have.
 */
async function isChosen(
  tx: Db,
  open: { fields: unknown; endedAt: Date },
  { textId, before, by }: Pick<Session, 'textId' | 'before' | 'by'>,
): Promise<boolean> {
  const { fields, endedAt } = open
  const isGone =
    before !== null && typeof fields === 'object' && fields !== null && hasOtherWords(fields, before)
  const own = { savedById: by.id, startedAt: { gte: endedAt } }
  const refused = await tx.textVersion.findFirst({
    where: { textId, kind: 'refused', ...(!isGone && own) },
    select: { id: true },
  })
  return refused !== null
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
