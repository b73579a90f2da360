import type { Context } from '@tidings/api/context'
import { createArticle } from '@tidings/api/features/articles/index'
import { cleanHtml } from '@tidings/api/platform/html'
import type { SeedArticle } from './content/types.ts'
import type { Drawings } from './drawings.ts'

/** Publishes a seeded gated article unless one of its title is there; answers how many it added. */
export async function seedArticleOnce(
  { clock, database }: Context,
  drawings: Drawings,
  { title, content, picture }: SeedArticle,
): Promise<number> {
  if ((await database.db.article.count({ where: { title } })) > 0) return 0
  process.stdout.write(`Adding the gated article '${title}'\n`)
  await createArticle(database.db, {
    title,
    content: cleanHtml(content),
    mediaFile: picture === undefined ? null : await drawings.fileOf(picture.drawing),
    mediaTitle: picture?.title ?? '',
    status: 'published',
    publishedAt: clock.now(),
  })
  return 1
}
