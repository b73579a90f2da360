import type { Context } from '#context.ts'
import { contentGroupIdPrefix } from '#features/secure-content/index.ts'

const appId = 'app_other'
const lists = { permissions: [], plans: [] }

/** Creates a content group of another app; returns its id. */
export async function groupElsewhere({ database, ids }: Context, key: string): Promise<string> {
  const id = ids.public(contentGroupIdPrefix)
  await database.db.contentGroup.create({ data: { id, appId, key, name: 'Elsewhere', ...lists } })
  return id
}

/** Creates secure content with this id in another app, open to all its members. */
export async function contentElsewhere(
  { database }: Context,
  contentId: string,
  content: string,
): Promise<void> {
  await database.db.secureContent.create({ data: { appId, contentId, type: 'TEXT', content, ...lists } })
}
