import type { Article } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/database.ts'

/** A gated article as it is stored. */
export type ArticleRow = Article

/** What an editor may set on an article; the HTML is clean. */
export type ArticleContent = Pick<
  Article,
  'title' | 'content' | 'mediaFile' | 'mediaTitle' | 'status' | 'publishedAt'
>

/** Titles of the published articles, newest first. */
export async function listPublishedTitles(db: Db): Promise<{ id: string; title: string }[]> {
  return await db.article.findMany({
    where: { status: 'published' },
    orderBy: { publishedAt: 'desc' },
    select: { id: true, title: true },
  })
}

export async function findPublishedArticle(db: Db, id: string): Promise<ArticleRow | null> {
  return await db.article.findFirst({ where: { id, status: 'published' } })
}

export async function findArticle(db: Db, id: string): Promise<ArticleRow | null> {
  return await db.article.findUnique({ where: { id } })
}

export async function lockArticle(tx: Db, id: string): Promise<ArticleRow | null> {
  await tx.$queryRaw`SELECT 1 FROM article WHERE id = ${id}::uuid FOR UPDATE`
  return await findArticle(tx, id)
}

/** A page of articles, newest first, drafts included. */
export async function listArticles(
  db: Db,
  page: { limit: number; before: string | null },
): Promise<ArticleRow[]> {
  return await db.article.findMany({
    ...(page.before === null ? {} : { where: { id: { lt: page.before } } }),
    orderBy: { id: 'desc' },
    take: page.limit,
  })
}

export async function createArticle(tx: Db, content: ArticleContent): Promise<ArticleRow> {
  return await tx.article.create({ data: content })
}

export async function updateArticle(
  tx: Db,
  id: string,
  change: Partial<ArticleContent>,
): Promise<ArticleRow> {
  return await tx.article.update({ where: { id }, data: { ...change, version: { increment: 1 } } })
}

export async function removeArticle(tx: Db, id: string): Promise<void> {
  await tx.article.delete({ where: { id } })
}
