import { gatedArticleRefusal, gatedArticleReply, gatedListReply } from '@tidings/contracts/articles'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { routeOptions } from '#http/endpoints/route-options.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import type { ArticleService } from './articles.service.ts'

/** Registers the gated list and the gated article, for members who have passed the gate. */
export function registerArticleRoutes(app: App, { articles }: { articles: ArticleService }): void {
  app.get(
    paths.gatedList,
    routeOptions(['gate', 'member'], 'Gated articles', 'Titles of the gated articles, newest first', {
      reply: gatedListReply,
    }),
    async (request, reply) => {
      neverStored(reply)
      return { data: await articles.titles(sessionOf(request)) }
    },
  )

  app.get(
    paths.gatedArticle,
    routeOptions(['gate', 'member'], 'Gated articles', 'One gated article', {
      description: 'One with a content group is open to the members whose plans its group asks for.',
      params: z.object({ gatedID: z.uuid("must be an article's _id") }),
      reply: gatedArticleReply,
      errors: { 403: gatedArticleRefusal },
    }),
    async (request, reply) => {
      neverStored(reply)
      return { data: await articles.article(request.params.gatedID, sessionOf(request)) }
    },
  )
}
