import type { Article, ContentGroup } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** A gated article as it is stored, with the group that says who may read it; any member, when there is none. */
export type ArticleRow = Article & {
  group: Pick<ContentGroup, 'key' | 'permissions' | 'plans'> | null
}

/** What an editor may set on an article; the HTML is clean. */
export type ArticleContent = Pick<
  Article,
  'title' | 'content' | 'mediaFile' | 'mediaTitle' | 'groupId' | 'status' | 'publishedAt'
>

const withGroup = { group: { select: { key: true, permissions: true, plans: true } } } as const

/** Titles of the published articles, newest first. */
export async function listPublishedTitles(db: Db): Promise<{ id: string; title: string }[]> {
  return await db.article.findMany({
    where: { status: 'published' },
    orderBy: { publishedAt: 'desc' },
    select: { id: true, title: true },
  })
}

export async function findPublishedArticle(db: Db, id: string): Promise<ArticleRow | null> {
  return await db.article.findFirst({ where: { id, status: 'published' }, include: withGroup })
}

export async function findArticle(db: Db, id: string): Promise<ArticleRow | null> {
  return await db.article.findUnique({ where: { id }, include: withGroup })
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
    include: withGroup,
  })
}

export async function createArticle(tx: Db, content: ArticleContent): Promise<ArticleRow> {
  return await tx.article.create({ data: content, include: withGroup })
}

export async function updateArticle(
  tx: Db,
  id: string,
  change: Partial<ArticleContent>,
): Promise<ArticleRow> {
  return await tx.article.update({
    where: { id },
    data: { ...change, version: { increment: 1 } },
    include: withGroup,
  })
}

export async function removeArticle(tx: Db, id: string): Promise<void> {
  await tx.article.delete({ where: { id } })
}
