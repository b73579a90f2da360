import {
  dataWithRemoved,
  deskSecureContent,
  deskSecureContentSummary,
  listQuery,
  pageOf,
  secureContentDraft,
} from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { contentId } from '@tidings/contracts/secure-content'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { askerOf, editorOf, sendDeskReply } from '../asker.ts'
import { conflictError, deskErrors, ifMatchHeader, notFoundError, secured } from '../desk-document.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion } from '../version-tag.ts'
import type { SecureContentDesk } from './secure-content-desk.service.ts'

const contentParams = z.object({ contentId })
const contentPage = listQuery.extend({ after: contentId.optional() })
const tags = ['Desk: secure content']

/** Secure content at the desk. */
export function registerSecureContentDesk(app: App, { desk }: { desk: SecureContentDesk }): void {
  app.get(
    paths.desk.secureContents,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Every piece of secure content by its id, without what it holds',
        querystring: contentPage,
        response: { 200: pageOf(deskSecureContentSummary), ...deskErrors },
      },
    },
    async (request) => {
      requireScope(editorOf(request), 'read')
      return await desk.list({ limit: request.query.limit, after: request.query.after })
    },
  )

  app.get(
    paths.desk.secureContent,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'One piece of secure content',
        description: 'The ETag is the version to send back in If-Match.',
        params: contentParams,
        response: { 200: dataOf(deskSecureContent), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      requireScope(editorOf(request), 'read')
      const data = await desk.read(request.params.contentId)
      reply.header('ETag', formatVersion(data.version))
      return { data }
    },
  )

  app.put(
    paths.desk.secureContent,
    {
      config: { access: 'editor' },
      bodyLimit: 2_000_000,
      schema: {
        tags,
        security: secured,
        summary: 'Makes a piece of secure content, or puts another in its place',
        description:
          'It opens by its own permissions and plans and by its group; both must hold. It is live at once, so it needs the scope `publish`. HTML is cleaned; JS and CSS are kept as written, so only code that the asking page may run belongs here. If-Match is needed when it exists.',
        params: contentParams,
        headers: ifMatchHeader,
        body: secureContentDraft,
        response: {
          200: dataWithRemoved(deskSecureContent),
          201: dataWithRemoved(deskSecureContent),
          ...deskErrors,
          ...conflictError,
        },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body)
      const { contentId: id } = request.params
      return sendDeskReply(reply, await desk.put(asker, id, request.body, request.headers['if-match']))
    },
  )

  app.delete(
    paths.desk.secureContent,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Removes a piece of secure content for good',
        description: 'What it held is kept in the audit log.',
        params: contentParams,
        headers: ifMatchHeader,
        response: {
          200: dataOf(z.object({ contentId: z.string() })),
          ...deskErrors,
          ...notFoundError,
          ...conflictError,
        },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, null)
      const { contentId: id } = request.params
      return sendDeskReply(reply, await desk.remove(asker, id, request.headers['if-match']))
    },
  )
}
