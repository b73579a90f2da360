import { type ArticleStatus, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'
import { type ArticleRow, withGroup } from './articles.repository.ts'

/** An article without its text, and the changes that readers don't have. */
export type FoundArticle = Omit<ArticleRow, 'content'> & { copy: { savedBy: string } | null }

/** The articles that an editor looks for. */
export type ArticleFilter = {
  status: ArticleStatus | undefined
  /** The instants between which they were created. */
  from: Date | undefined
  until: Date | undefined
  /** The person who saved it last. */
  person: string | undefined
  q: string | undefined
}

const articleText = Prisma.sql`desk_text(article.title, article.content, article.media_title)`
const copyText = Prisma.sql`
  desk_text(copy.fields ->> 'title', copy.fields ->> 'memo_content', copy.fields ->> 'media_title')`

/** Returns the condition that an article or its working copy has each of the typed words. Each has an index of its own. */
function articleMatches(q: string): Prisma.Sql {
  return Prisma.sql`article.id IN (
    SELECT article.id FROM article WHERE ${matchesWords(articleText, q)}
    UNION ALL
    SELECT copy.id FROM working_copy copy WHERE copy.kind = 'article' AND ${matchesWords(copyText, q)})`
}

/** Returns the condition that a person saved an article last, or its working copy if it has one. */
function savedByPerson(person: string): Prisma.Sql {
  return Prisma.sql`article.id IN (
    SELECT article.id FROM article LEFT JOIN working_copy copy ON copy.id = article.id
    WHERE article.saved_by_id = ${person}::uuid AND copy.id IS NULL
    UNION ALL
    SELECT copy.id FROM working_copy copy WHERE copy.kind = 'article' AND copy.saved_by_id = ${person}::uuid)`
}

/** Lists a page of articles without their texts, newest first, drafts included. */
export async function listArticles(
  db: Db,
  { limit, before }: { limit: number; before: string | null },
  { status, from, until, person, q }: ArticleFilter,
): Promise<FoundArticle[]> {
  const conditions = [
    Prisma.sql`true`,
    ...(status === undefined ? [] : [Prisma.sql`article.status = ${status}::article_status`]),
    ...(from === undefined ? [] : [Prisma.sql`article.created_at >= ${from}`]),
    ...(until === undefined ? [] : [Prisma.sql`article.created_at < ${until}`]),
    ...(person === undefined ? [] : [savedByPerson(person)]),
    ...(q === undefined ? [] : [articleMatches(q)]),
    ...(before === null ? [] : [Prisma.sql`article.id < ${before}::uuid`]),
  ]
  const found = await queryRows(db, idRowSchema)`
    SELECT article.id FROM article
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY article.id DESC LIMIT ${limit}`
  const ids = found.map(({ id }) => id)
  const rows = await db.article.findMany({
    where: { id: { in: ids } },
    orderBy: { id: 'desc' },
    omit: { content: true },
    include: withGroup,
  })
  const copies = await db.workingCopy.findMany({
    where: { id: { in: ids } },
    select: { id: true, savedBy: true },
  })
  const copyOf = new Map(copies.map((copy) => [copy.id, copy]))
  return rows.map((row) => ({ ...row, copy: copyOf.get(row.id) ?? null }))
}
