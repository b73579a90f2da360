import type { Context } from '#context.ts'
import { createArticle } from '#features/articles/index.ts'
import { holdGroup } from '#features/secure-content/index.ts'
import { cleanHtml } from '#platform/html.ts'
import type { SeedArticle } from './content/types.ts'
import type { Drawings } from './drawings.ts'

/**
 * Publishes a seeded gated article unless one of its title is there; answers how many it added. `groupKey` is the
 * content group that it is made in; null for none.
 */
export async function seedArticleOnce(
  { clock, config, database }: Context,
  drawings: Drawings,
  { title, content, picture }: SeedArticle,
  groupKey: string | null,
): Promise<number> {
  if ((await database.db.article.count({ where: { title } })) > 0) return 0
  process.stdout.write(`Adding the gated article '${title}'\n`)
  await createArticle(database.db, {
    title,
    content: cleanHtml(content),
    mediaFile: picture === undefined ? null : await drawings.fileOf(picture.drawing),
    mediaTitle: picture?.title ?? '',
    groupId: groupKey === null ? null : await holdGroup(database.db, config.site.appId, groupKey),
    status: 'published',
    publishedAt: clock.now(),
  })
  return 1
}
