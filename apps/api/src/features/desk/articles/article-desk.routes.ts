import { articleChange, articleDraft, deskArticle } from '@tidings/contracts/desk/articles'
import { dataWithRemoved } from '@tidings/contracts/desk/desk'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { deskRoute, htmlBodyLimit, idPage } from '../requests/desk-route.ts'
import type { ArticleDesk } from './article-desk.service.ts'

const params = z.object({ id: z.uuid("must be an article's id") })
const tag = 'Desk: gated articles'

export function registerArticleDesk(app: App, desk: ArticleDesk): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.articles,
    tag,
    summary: 'Lists gated articles, newest first, drafts included',
    scope: 'read',
    query: idPage,
    response: { 200: pageOf(deskArticle) },
    run: ({ query }) => desk.list(query),
  })

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.articles,
    tag,
    summary: 'Creates a gated article',
    body: articleDraft,
    bodyLimit: htmlBodyLimit,
    response: { 201: dataWithRemoved(deskArticle) },
    run: ({ requester, body }) => desk.create(requester, body),
  })

  deskRoute(app, {
    method: 'GET',
    url: paths.desk.article,
    tag,
    summary: 'Returns a gated article',
    scope: 'read',
    params,
    response: { 200: dataOf(deskArticle) },
    run: ({ params: { id } }) => desk.read(id),
  })

  deskRoute(app, {
    method: 'PATCH',
    url: paths.desk.article,
    tag,
    summary: 'Changes a gated article',
    params,
    body: articleChange,
    bodyLimit: htmlBodyLimit,
    ifMatch: 'required',
    response: { 200: dataWithRemoved(deskArticle) },
    run: ({ requester, params: { id }, body, version }) => desk.change(requester, id, body, version),
  })

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.publishArticle,
    tag,
    summary: 'Publishes a gated article now',
    params,
    response: { 200: dataOf(deskArticle) },
    run: ({ requester, params: { id } }) => desk.publish(requester, id),
  })

  deskRoute(app, {
    method: 'DELETE',
    url: paths.desk.article,
    tag,
    summary: 'Deletes a gated article',
    description: 'The audit log keeps its text.',
    params,
    ifMatch: 'required',
    response: { 200: dataOf(z.object({ id: z.string() })) },
    run: ({ requester, params: { id }, version }) => desk.remove(requester, id, version),
  })
}
