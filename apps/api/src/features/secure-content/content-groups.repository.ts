import { type ContentGroup, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { invalidField } from '#platform/fields.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { fail } from './secure-content.errors.ts'

export const contentGroupIdPrefix = 'grp'

export type ContentGroupRow = ContentGroup

/** The columns that editors set. */
export type ContentGroupFields = Pick<ContentGroup, 'key' | 'name' | 'permissions' | 'plans' | 'redirect'>

/** Lists a page of an app's groups, by key. */
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

/** Lists all of an app's groups, by key. */
export async function listAllGroups(db: Db, appId: string): Promise<ContentGroupRow[]> {
  return await db.contentGroup.findMany({ where: { appId }, orderBy: { key: 'asc' } })
}

/** Throws `content-group-not-found`. */
export async function getGroup(db: Db, appId: string, id: string): Promise<ContentGroupRow> {
  const group = await db.contentGroup.findFirst({ where: { id, appId } })
  if (group === null) throw fail('content-group-not-found')
  return group
}

/** Throws `content-group-not-found`. */
export async function lockGroup(tx: Db, appId: string, id: string): Promise<ContentGroupRow> {
  await tx.$queryRaw`SELECT 1 FROM content_group WHERE id = ${id} FOR UPDATE`
  return await getGroup(tx, appId, id)
}

/** Returns the id of the group with this key, locked against removal; null if there is none. */
export async function holdGroup(tx: Db, appId: string, key: string): Promise<string | null> {
  const rows = await queryRows(tx, idRowSchema)`
    SELECT id FROM content_group WHERE app_id = ${appId} AND key = ${key} FOR KEY SHARE`
  return rows[0]?.id ?? null
}

/**
 * Holds a group as {@link holdGroup} does, by the key that an editor sent; null for null. Throws `invalid-request` if
 * there is no group.
 */
export async function requireGroup(tx: Db, appId: string, key: string | null): Promise<string | null> {
  const id = key === null ? null : await holdGroup(tx, appId, key)
  if (id !== null || key === null) return id
  throw invalidField(
    'group',
    `no content group has the key '${key}'. Create it with POST /desk/v1/content-groups.`,
  )
}

/** Throws `content-exists` if another group of the app has this key. */
export async function createGroup(
  tx: Db,
  group: ContentGroupFields & { id: string; appId: string },
): Promise<ContentGroupRow> {
  return await orKeyTaken(group.key, tx.contentGroup.create({ data: group }))
}

/** Creates a group unless one of the app has its key. Returns whether it did. */
export async function createGroupOnce(
  tx: Db,
  group: ContentGroupFields & { id: string; appId: string },
): Promise<boolean> {
  const { count } = await tx.contentGroup.createMany({ data: [group], skipDuplicates: true })
  return count === 1
}

/** Throws `content-exists` if another group of the app has the new key. */
export async function updateGroup(
  tx: Db,
  id: string,
  change: Partial<ContentGroupFields>,
): Promise<ContentGroupRow> {
  const update = tx.contentGroup.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
  return await orKeyTaken(change.key ?? '', update)
}

/** Counts the gated articles and pieces of secure content in a group. */
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
    throw isTaken ? fail('content-exists', key) : error
  }
}
