import { queryOptions } from '@tanstack/react-query'
import { gatedArticleRefusal, type GatedArticle as WireArticle } from '@tidings/contracts/articles'
import * as routes from '@tidings/contracts/routes'
import type { Focus } from '@tidings/ui/picture'
import { type SafeHtml, sanitizedByServer } from '@tidings/ui/safe-html'
import { ApiError, call } from '#lib/api/api-client.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'
import { articlesKey } from './kept-articles.ts'

/** A gated article in the list, in our own terms. */
export type ArticleTitle = { id: string; title: string; language: string | undefined }

/** A gated article that the member may read. */
export type GatedArticle = ArticleTitle & {
  /** File name of the picture; empty without one. */
  picture: string
  caption: string
  /** Empty without one, or for a decorative picture. */
  alt: string
  /** The point that cropping keeps; undefined for the center. */
  focus: Focus | undefined
  body: SafeHtml
}

/** Reads the titles of the gated articles, newest first. Every member sees all of them. */
export function gatedTitles(session: MemberSession) {
  return queryOptions({
    queryKey: articlesKey,
    queryFn: async ({ signal }): Promise<ArticleTitle[]> => {
      const { data } = await call(routes.listGatedArticles, {}, { signal, token: session.token() })
      return data.map(({ _id: id, title, language }) => ({ id, title, language }))
    },
  })
}

/** Reads a gated article. Fails with `access-denied` when the member's plan doesn't open it. */
export function gatedArticle(session: MemberSession, id: string) {
  return queryOptions({
    queryKey: [...articlesKey, id],
    queryFn: async ({ signal }): Promise<GatedArticle> => {
      const input = { params: { gatedID: id } }
      const { data } = await call(routes.getGatedArticle, input, { signal, token: session.token() })
      return toArticle(data)
    },
  })
}

function toArticle(wire: WireArticle): GatedArticle {
  return {
    id: wire._id,
    title: wire.title,
    language: wire.language,
    picture: wire.media,
    caption: wire.media_title,
    alt: wire.media_alt ?? '',
    focus: wire.media_focus,
    body: sanitizedByServer(wire.memo_content),
  }
}

/** Returns whether the article doesn't exist or was withdrawn; an impossible id is invalid. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

/** Returns the ids of the plans that open the article, if the error says that the member has none of them; else null. */
export function plansNeeded(error: Error | null): string[] | null {
  if (!(error instanceof ApiError) || error.code !== 'access-denied') return null
  return gatedArticleRefusal.safeParse(error.cause).data?.error.plans ?? []
}
