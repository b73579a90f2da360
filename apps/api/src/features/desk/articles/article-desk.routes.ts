import { articleChange, articleDraft, dataWithRemoved, deskArticle, pageOf } from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { askerOf, editorOf, sendDeskReply } from '../asker.ts'
import {
  conflictError,
  deskErrors,
  idempotencyHeader,
  idPage,
  ifMatchHeader,
  notFoundError,
  secured,
} from '../desk-document.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion } from '../version-tag.ts'
import type { ArticleDesk } from './article-desk.service.ts'

const articleParams = z.object({ id: z.uuid("must be an article's id") })
const tags = ['Desk: gated articles']

/** Gated articles at the desk. */
export function registerArticleDesk(app: App, { desk }: { desk: ArticleDesk }): void {
  app.get(
    paths.desk.articles,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Every gated article, newest first, drafts included',
        querystring: idPage,
        response: { 200: pageOf(deskArticle), ...deskErrors },
      },
    },
    async (request) => {
      requireScope(editorOf(request), 'read')
      return await desk.list({ limit: request.query.limit, after: request.query.after })
    },
  )

  app.post(
    paths.desk.articles,
    {
      config: { access: 'editor' },
      bodyLimit: 2_000_000,
      schema: {
        tags,
        security: secured,
        summary: 'Makes a gated article',
        headers: idempotencyHeader,
        body: articleDraft,
        response: { 201: dataWithRemoved(deskArticle), ...deskErrors },
      },
    },
    async (request, reply) =>
      sendDeskReply(reply, await desk.create(askerOf(request, request.body), request.body)),
  )

  app.get(
    paths.desk.article,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'One gated article',
        params: articleParams,
        response: { 200: dataOf(deskArticle), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      requireScope(editorOf(request), 'read')
      const data = await desk.read(request.params.id)
      reply.header('ETag', formatVersion(data.version))
      return { data }
    },
  )

  app.patch(
    paths.desk.article,
    {
      config: { access: 'editor' },
      bodyLimit: 2_000_000,
      schema: {
        tags,
        security: secured,
        summary: 'Changes a gated article',
        params: articleParams,
        headers: ifMatchHeader,
        body: articleChange,
        response: { 200: dataWithRemoved(deskArticle), ...deskErrors, ...notFoundError, ...conflictError },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body)
      const { id } = request.params
      return sendDeskReply(reply, await desk.change(asker, id, request.body, request.headers['if-match']))
    },
  )

  app.post(
    paths.desk.publishArticle,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Publishes a gated article now',
        params: articleParams,
        headers: idempotencyHeader,
        response: { 200: dataOf(deskArticle), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) =>
      sendDeskReply(reply, await desk.publish(askerOf(request, null), request.params.id)),
  )

  app.delete(
    paths.desk.article,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Removes a gated article for good',
        description: 'Its text is kept in the audit log.',
        params: articleParams,
        headers: ifMatchHeader,
        response: {
          200: dataOf(z.object({ id: z.string() })),
          ...deskErrors,
          ...notFoundError,
          ...conflictError,
        },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, null)
      return sendDeskReply(reply, await desk.remove(asker, request.params.id, request.headers['if-match']))
    },
  )
}
