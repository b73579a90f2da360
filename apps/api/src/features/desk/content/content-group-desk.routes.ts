import {
  contentGroupChange,
  contentGroupDraft,
  deskContentGroup,
  listQuery,
  pageOf,
} from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { askerOf, editorOf, sendDeskReply } from '../asker.ts'
import {
  conflictError,
  deskErrors,
  idempotencyHeader,
  ifMatchHeader,
  notFoundError,
  secured,
} from '../desk-document.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion } from '../version-tag.ts'
import type { ContentGroupDesk } from './content-group-desk.service.ts'

const groupParams = z.object({ id: z.string().regex(/^grp_[0-9a-z]{24}$/, "must be a content group's id") })
const groupPage = listQuery.extend({
  after: z
    .string()
    .regex(/^[0-9a-z-]{1,100}$/, "must be the 'next' of the page before")
    .optional(),
})
const takenError = {
  409: describedError('Another group has this key, or the Idempotency-Key was used otherwise'),
} as const
const tags = ['Desk: content groups']

/** Content groups at the desk. */
export function registerContentGroupDesk(app: App, { desk }: { desk: ContentGroupDesk }): void {
  app.get(
    paths.desk.contentGroups,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Every content group, by key',
        querystring: groupPage,
        response: { 200: pageOf(deskContentGroup), ...deskErrors },
      },
    },
    async (request) => {
      requireScope(editorOf(request), 'read')
      return await desk.list({ limit: request.query.limit, after: request.query.after })
    },
  )

  app.post(
    paths.desk.contentGroups,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Makes a content group',
        description:
          'What belongs to it opens to members with any one of its permissions and any one of its plans. Groups are live at once, so every change needs the scope `publish`.',
        headers: idempotencyHeader,
        body: contentGroupDraft,
        response: { 201: dataOf(deskContentGroup), ...deskErrors, ...takenError },
      },
    },
    async (request, reply) =>
      sendDeskReply(reply, await desk.create(askerOf(request, request.body), request.body)),
  )

  app.get(
    paths.desk.contentGroup,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'One content group',
        params: groupParams,
        response: { 200: dataOf(deskContentGroup), ...deskErrors, ...notFoundError },
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
    paths.desk.contentGroup,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Changes a content group, and with it who may see what belongs to it',
        params: groupParams,
        headers: ifMatchHeader,
        body: contentGroupChange,
        response: { 200: dataOf(deskContentGroup), ...deskErrors, ...notFoundError, ...conflictError },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body)
      const { id } = request.params
      return sendDeskReply(reply, await desk.change(asker, id, request.body, request.headers['if-match']))
    },
  )

  app.delete(
    paths.desk.contentGroup,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Removes a content group for good',
        description: 'Only one that nothing belongs to; it is kept in the audit log.',
        params: groupParams,
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
