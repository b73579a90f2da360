import type { Context } from '#context.ts'
import {
  contentGroupIdPrefix,
  contentGroupsCacheKey,
  createGroup,
  createSecureContentOnce,
} from '#features/secure-content/index.ts'
import { cleanHtml } from '#platform/html/clean-html.ts'
import type { SeedContentGroup, SeedSecureContent } from './content/types.ts'

/** Creates a content group unless its key exists, and returns how many it created. */
export async function seedGroupOnce(
  { config, database, ids, invalidation }: Context,
  { key, name, plans, redirect }: SeedContentGroup,
): Promise<number> {
  const { appId } = config.site
  if ((await database.db.contentGroup.count({ where: { appId, key } })) > 0) return 0
  process.stdout.write(`Adding the content group '${key}'\n`)
  const group = { key, name, permissions: [], plans: [...plans], redirect }
  await database.transaction(async (tx) => {
    await createGroup(tx, { ...group, id: ids.public(contentGroupIdPrefix), appId })
    await invalidation.invalidate(tx, { at: [contentGroupsCacheKey] })
  })
  return 1
}

/** Stores secure content unless its content id exists, and returns how many it stored. */
export async function seedSecureContentOnce(
  { config, database }: Context,
  { contentId, content, plans }: SeedSecureContent,
): Promise<number> {
  const made = await createSecureContentOnce(
    database.db,
    { appId: config.site.appId, contentId },
    { type: 'HTML', content: cleanHtml(content), permissions: [], plans: [...plans], groupId: null },
  )
  if (made) process.stdout.write(`Adding the secure content '${contentId}'\n`)
  return made ? 1 : 0
}
