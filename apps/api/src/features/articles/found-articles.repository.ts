import { type ArticleStatus, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'
import { type ArticleRow, withGroup } from './articles.repository.ts'

/** An article without its text. */
export type ArticleSummaryRow = Omit<ArticleRow, 'content'>

/** The articles that an editor looks for. */
export type ArticleFilter = {
  status: ArticleStatus | undefined
  /** The instants between which they were created. */
  from: Date | undefined
  until: Date | undefined
  q: string | undefined
}

const articleText = Prisma.sql`desk_text(article.title, article.content, article.media_title)`

/** Lists a page of articles without their texts, newest first, drafts included. */
export async function listArticles(
  db: Db,
  { limit, before }: { limit: number; before: string | null },
  { status, from, until, q }: ArticleFilter,
): Promise<ArticleSummaryRow[]> {
  const conditions = [
    Prisma.sql`true`,
    ...(status === undefined ? [] : [Prisma.sql`article.status = ${status}::article_status`]),
    ...(from === undefined ? [] : [Prisma.sql`article.created_at >= ${from}`]),
    ...(until === undefined ? [] : [Prisma.sql`article.created_at < ${until}`]),
    ...(q === undefined ? [] : [matchesWords(articleText, q)]),
    ...(before === null ? [] : [Prisma.sql`article.id < ${before}::uuid`]),
  ]
  const ids = await queryRows(db, idRowSchema)`
    SELECT article.id FROM article WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY article.id DESC LIMIT ${limit}`
  return await db.article.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    orderBy: { id: 'desc' },
    omit: { content: true },
    include: withGroup,
  })
}
