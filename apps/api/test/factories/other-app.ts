import type { Context } from '#context.ts'

const appId = 'app_other'
const lists = { permissions: [], plans: [] }

/** A content group that belongs to another app than the site's; answers its id. */
export async function groupElsewhere({ database, ids }: Context, key: string): Promise<string> {
  const id = ids.public('grp')
  await database.db.contentGroup.create({ data: { id, appId, key, name: 'Elsewhere', ...lists } })
  return id
}

/** Secure content that another app than the site's has under this id, open to all members there. */
export async function contentElsewhere(
  { database }: Context,
  contentId: string,
  content: string,
): Promise<void> {
  await database.db.secureContent.create({ data: { appId, contentId, type: 'TEXT', content, ...lists } })
}
