import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DeskArticle } from '@tidings/contracts/desk/articles'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import type { DeskContentGroup } from '@tidings/contracts/desk/content/content-groups'
import * as routes from '@tidings/contracts/desk/routes'
import type { ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import { call } from '#lib/api/call.ts'

/** The statuses of articles, in the order of the screen. */
export const articleStatuses = ['draft', 'published'] as const

/** The address of the list. */
export type ArticleSearch = {
  q?: string | undefined
  status?: (typeof articleStatuses)[number] | undefined
}

/** The first key of all that is read of articles. It changes with each save of anyone. */
export const articlesKey = ['articles'] as const
const first: string | undefined = undefined

/** The articles of a search, page by page, newest first. */
export function articlePages(search: ArticleSearch) {
  return infiniteQueryOptions({
    queryKey: [...articlesKey, 'list', search],
    queryFn: async ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
      await call(routes.listDeskArticles, { query: { ...search, limit: 25, after: pageParam } }, { signal }),
    initialPageParam: first,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
  })
}

/** An article as people write it. */
export function articleCopyQuery(id: string) {
  return queryOptions({
    queryKey: [...articlesKey, 'copy', id],
    queryFn: ({ signal }): Promise<ArticleWorkingCopy> => readCopy(id, signal),
    staleTime: 0,
    refetchInterval: 10_000,
  })
}

async function readCopy(id: string, signal?: AbortSignal): Promise<ArticleWorkingCopy> {
  const options = signal === undefined ? {} : { signal }
  return (await call(routes.getArticleCopy, { params: { id } }, options)).data
}

/** The members who may read articles, by plan and content group. */
export const articleReadersQuery = queryOptions({
  queryKey: ['article-readers'],
  queryFn: async ({ signal }): Promise<ArticleReaders> =>
    (await call(routes.getArticleReaders, {}, { signal })).data,
  staleTime: 60_000,
})

/** Creates an empty draft. */
export async function startArticle(): Promise<DeskArticle> {
  return (await call(routes.createArticle, { body: {} })).data
}

/** Returns the content group of exactly these plans. */
export async function groupOfPlans(plans: string[]): Promise<DeskContentGroup> {
  return (await call(routes.openToPlans, { body: { plans } })).data
}

/** Gives members an article, or the changes of one that they have. `version` is the one that was seen. */
export async function publishArticle(
  { id, isPublic }: Pick<ArticleWorkingCopy, 'id' | 'isPublic'>,
  version: number,
): Promise<ArticleWorkingCopy> {
  if (isPublic) return (await call(routes.publishArticleCopy, { params: { id } }, { ifMatch: version })).data
  const input = { params: { id }, body: { status: 'published' } } as const
  await call(routes.changeArticle, input, { ifMatch: version })
  return await readCopy(id)
}

/** Takes an article back to a draft, with the changes that members don't have. */
export async function withdrawArticle(id: string): Promise<ArticleWorkingCopy> {
  const { version } = (await call(routes.getArticle, { params: { id } })).data
  await call(routes.changeArticle, { params: { id }, body: { status: 'draft' } }, { ifMatch: version })
  return await readCopy(id)
}

/** Drops the changes that members don't have. */
export async function discardArticleChanges(id: string, version: number): Promise<ArticleWorkingCopy> {
  await call(routes.discardArticleCopy, { params: { id } }, { ifMatch: version })
  return await readCopy(id)
}

/** Deletes a draft. */
export async function deleteArticle(id: string, version: number): Promise<void> {
  await call(routes.deleteArticle, { params: { id } }, { ifMatch: version })
}
