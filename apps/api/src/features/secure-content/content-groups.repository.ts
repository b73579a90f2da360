import { type ContentGroup, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { ContentGroupExistsError } from './secure-content.errors.ts'

/** A content group as it is stored. */
export type ContentGroupRow = ContentGroup

/** What an editor may set on a content group. */
export type ContentGroupFields = Pick<ContentGroup, 'key' | 'name' | 'permissions' | 'plans' | 'redirect'>

/** A page of an app's groups, by key. */
export async function listGroups(
  db: Db,
  appId: string,
  page: { limit: number; after: string | null },
): Promise<ContentGroupRow[]> {
  return await db.contentGroup.findMany({
    where: { appId, ...(page.after === null ? {} : { key: { gt: page.after } }) },
    orderBy: { key: 'asc' },
    take: page.limit,
  })
}

/** All of an app's groups, by key. */
export async function listAllGroups(db: Db, appId: string): Promise<ContentGroupRow[]> {
  return await db.contentGroup.findMany({ where: { appId }, orderBy: { key: 'asc' } })
}

export async function findGroup(db: Db, appId: string, id: string): Promise<ContentGroupRow | null> {
  return await db.contentGroup.findFirst({ where: { id, appId } })
}

export async function lockGroup(tx: Db, appId: string, id: string): Promise<ContentGroupRow | null> {
  await tx.$queryRaw`SELECT 1 FROM content_group WHERE id = ${id} FOR UPDATE`
  return await findGroup(tx, appId, id)
}

/** The id of the group with this key, which then stays until the transaction ends; null when there is none. */
export async function holdGroup(tx: Db, appId: string, key: string): Promise<string | null> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM content_group WHERE app_id = ${appId} AND key = ${key} FOR KEY SHARE`
  return rows[0]?.id ?? null
}

/** Throws `content-exists` when the app has a group of this key. */
export async function createGroup(
  tx: Db,
  group: ContentGroupFields & { id: string; appId: string },
): Promise<ContentGroupRow> {
  return await orKeyTaken(group.key, tx.contentGroup.create({ data: group }))
}

/** Throws `content-exists` when the app has another group of the new key. */
export async function updateGroup(
  tx: Db,
  id: string,
  change: Partial<ContentGroupFields>,
): Promise<ContentGroupRow> {
  const update = tx.contentGroup.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
  return await orKeyTaken(change.key ?? '', update)
}

/** How many gated articles and pieces of secure content belong to a group. */
export async function countUses(tx: Db, id: string): Promise<{ articles: number; contents: number }> {
  const articles = await tx.article.count({ where: { groupId: id } })
  return { articles, contents: await tx.secureContent.count({ where: { groupId: id } }) }
}

export async function removeGroup(tx: Db, id: string): Promise<void> {
  await tx.contentGroup.delete({ where: { id } })
}

async function orKeyTaken<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
    throw isTaken ? new ContentGroupExistsError(key) : error
  }
}
