import { getGatedArticle, listGatedArticles } from '@tidings/contracts/articles'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { ArticleService } from './articles.service.ts'

/** Registers the gated list and the gated article, for members who have passed the gate. */
export function registerArticleRoutes(app: App, { articles }: { articles: ArticleService }): void {
  register(app, listGatedArticles, async (request, reply) => {
    neverStored(reply)
    return { data: await articles.titles(sessionOf(request)) }
  })

  register(app, getGatedArticle, async (request, reply) => {
    neverStored(reply)
    return { data: await articles.article(request.params.gatedID, sessionOf(request)) }
  })
}
