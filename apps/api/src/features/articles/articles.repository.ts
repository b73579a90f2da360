import type { Article, ContentGroup, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { type Saver, type Step, savedBy, stampColumns } from '#platform/text/field-versions.ts'
import { fail } from './articles.errors.ts'

/** A gated article with the content group whose members may read it. Without a group, every member may. */
export type ArticleRow = Article & {
  group: Pick<ContentGroup, 'key' | 'permissions' | 'plans'> | null
}

/** The columns that editors set; their HTML is clean. Those with a default may be missing. */
export type ArticleContent = Omit<
  Pick<Prisma.ArticleUncheckedCreateInput, keyof Article>,
  'id' | 'version' | 'fieldVersions' | 'savedById' | 'savedBy' | 'createdAt' | 'updatedAt'
>

/** Includes the rule of an article's group. */
export const withGroup = { group: { select: { key: true, permissions: true, plans: true } } } as const

/** Lists the titles of the published articles, newest first. */
export async function listPublishedTitles(db: Db): Promise<Pick<Article, 'id' | 'title' | 'language'>[]> {
  return await db.article.findMany({
    where: { status: 'published' },
    orderBy: { publishedAt: 'desc' },
    select: { id: true, title: true, language: true },
  })
}

/** Returns the titles of articles, drafts included, by their ids. */
export async function listTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.article.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, title: true },
  })
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export async function findPublishedArticle(db: Db, id: string): Promise<ArticleRow | null> {
  return await db.article.findFirst({ where: { id, status: 'published' }, include: withGroup })
}

/** Returns the rule of a published article without its content; null for no such article. */
export async function findPublishedRule(db: Db, id: string): Promise<Pick<ArticleRow, 'group'> | null> {
  return await db.article.findFirst({ where: { id, status: 'published' }, select: withGroup })
}

/** Throws `article-not-found`. */
export async function getArticle(db: Db, id: string): Promise<ArticleRow> {
  const article = await db.article.findUnique({ where: { id }, include: withGroup })
  if (article === null) throw fail('article-not-found')
  return article
}

/** Throws `article-not-found`. */
export async function lockArticle(tx: Db, id: string): Promise<ArticleRow> {
  await tx.$queryRaw`SELECT 1 FROM article WHERE id = ${id}::uuid FOR UPDATE`
  return await getArticle(tx, id)
}

export async function createArticle(
  tx: Db,
  content: ArticleContent,
  by: Saver | null = null,
): Promise<ArticleRow> {
  return await tx.article.create({ data: { ...content, ...savedBy(by) }, include: withGroup })
}

/** Stores a change of a locked article, as the version after `atLeast` or after the article's own. */
export async function updateArticle(
  tx: Db,
  article: ArticleRow,
  change: Partial<ArticleContent>,
  stamp: Step,
): Promise<ArticleRow> {
  const data = { ...change, ...stampColumns(article, stamp) }
  return await tx.article.update({ where: { id: article.id }, data, include: withGroup })
}

export async function removeArticle(tx: Db, id: string): Promise<void> {
  await tx.article.delete({ where: { id } })
}
