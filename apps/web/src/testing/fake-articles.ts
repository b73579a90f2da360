import {
  type GatedArticle,
  gatedArticleRefusal,
  getGatedArticle,
  listGatedArticles,
} from '@tidings/contracts/articles'
import { HttpResponse } from 'msw/http'
import { errorResponse, fake } from './fake.ts'
import type { FakeMembership } from './fake-membership.ts'

/** A gated article of the fake API, and the plans that open it; without any, every member may read it. */
export type FakeArticle = GatedArticle & { plans: string[] }

/** Returns an article that every member may read. */
export function wireArticle(article: Partial<FakeArticle> & { title: string }): FakeArticle {
  return {
    _id: '0199a1f4-1111-7abc-8def-0123456789ab',
    media: '',
    media_title: '',
    memo_content: `<p>The body of ${article.title}.</p>`,
    plans: [],
    ...article,
  }
}

/** Returns the handlers of the gated list and the gated article, for the member of the fake membership service. */
export function articleHandlers(articles: readonly FakeArticle[], membership: FakeMembership) {
  const withSession = <Reply>(request: Request, respond: () => Reply) => {
    if (!request.headers.has('authorization')) return errorResponse(401, 'login-required', 'Log in first.')
    if (!membership.hasSession)
      return errorResponse(401, 'client/invalid-token', 'An invalid token has been provided.')
    return respond()
  }
  return [
    fake(listGatedArticles, ({ request }) => withSession(request, () => ({ data: [...articles] }))),
    fake(getGatedArticle, ({ request, params }) =>
      withSession(request, () => {
        const article = articles.find(({ _id }) => _id === params.gatedID)
        if (article === undefined)
          return errorResponse(404, 'article-not-found', 'This article doesn’t exist, or it was withdrawn.')
        const held = membership.member.planConnections.map(({ planId }) => planId)
        if (article.plans.length > 0 && !article.plans.some((plan) => held.includes(plan))) {
          const error = { code: 'access-denied', message: 'Your plan doesn’t include this.' }
          const body = gatedArticleRefusal.parse({ error: { ...error, plans: article.plans } })
          return HttpResponse.json(body, { status: 403 })
        }
        return { data: article }
      }),
    ),
  ]
}
