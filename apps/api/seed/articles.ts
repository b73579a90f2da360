import type { Context } from '#context.ts'
import { createArticle } from '#features/articles/index.ts'
import { holdGroup } from '#features/secure-content/index.ts'
import { cleanHtml } from '#platform/html/clean-html.ts'
import { altTexts } from './content/alt-texts.ts'
import type { SeedArticle } from './content/types.ts'
import type { Drawings } from './drawings.ts'

/**
 * Publishes a gated article unless its title exists, and returns how many it added. `groupKey` is its content group, or null.
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
    mediaAlt: altTexts[picture?.drawing ?? ''] ?? null,
    language: '',
    groupId: groupKey === null ? null : await holdGroup(database.db, config.site.appId, groupKey),
    status: 'published',
    publishedAt: clock.now(),
  })
  return 1
}
