import {
  dataWithRemoved,
  deskEdition,
  deskEditionSummary,
  deskMemo,
  editionChange,
  memoChange,
  memoDraft,
  pageOf,
} from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import { getEditionId } from '#features/editions/index.ts'
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
import type { EditionDesk } from './edition-desk.service.ts'

const keyParams = z.object({ key: z.string().describe('MM-DD-YY-slot') })
const memoParams = z.object({ id: z.uuid("must be a memo's id") })
const tags = ['Desk: editions and memos']

/** Editions and memos at the desk. */
export function registerEditionDesk(app: App, { desk }: { desk: EditionDesk }): void {
  app.get(
    paths.desk.editions,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Every edition, newest day first, drafts included',
        querystring: idPage,
        response: { 200: pageOf(deskEditionSummary), ...deskErrors },
      },
    },
    async (request) => {
      requireScope(editorOf(request), 'read')
      return await desk.list({ limit: request.query.limit, after: request.query.after })
    },
  )

  app.get(
    paths.desk.edition,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'One edition with its memos',
        description: 'The ETag is the version to send back in If-Match.',
        params: keyParams,
        response: { 200: dataOf(deskEdition), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      requireScope(editorOf(request), 'read')
      const data = await desk.read(getEditionId(request.params.key))
      reply.header('ETag', formatVersion(data.version))
      return { data }
    },
  )

  app.put(
    paths.desk.edition,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Makes an edition, or changes its status',
        description:
          '`draft` keeps or withdraws it, `scheduled` has it publish itself at its slot, `published` publishes it now. If-Match is needed when it exists.',
        params: keyParams,
        headers: ifMatchHeader,
        body: editionChange,
        response: {
          200: dataOf(deskEdition),
          201: dataOf(deskEdition),
          ...deskErrors,
          ...notFoundError,
          ...conflictError,
        },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body)
      const id = getEditionId(request.params.key)
      return sendDeskReply(reply, await desk.put(asker, id, request.body, request.headers['if-match']))
    },
  )

  app.post(
    paths.desk.publish,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Publishes an edition now',
        description: 'Each memo goes out as NEW_MEMO, in order. Publishing it again changes nothing.',
        params: keyParams,
        headers: idempotencyHeader,
        response: { 200: dataOf(deskEdition), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, null)
      return sendDeskReply(reply, await desk.publish(asker, getEditionId(request.params.key)))
    },
  )

  app.post(
    paths.desk.memos,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Adds a memo',
        description: 'To a published edition it is live at once, as NEW_MEMO.',
        params: keyParams,
        headers: idempotencyHeader,
        body: memoDraft,
        response: { 201: dataWithRemoved(deskMemo), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body)
      const id = getEditionId(request.params.key)
      return sendDeskReply(reply, await desk.addMemo(asker, id, request.body))
    },
  )

  app.get(
    paths.desk.memo,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'One memo',
        params: memoParams,
        response: { 200: dataOf(deskMemo), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      requireScope(editorOf(request), 'read')
      const data = await desk.readMemo(request.params.id)
      reply.header('ETag', formatVersion(data.version))
      return { data }
    },
  )

  app.patch(
    paths.desk.memo,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Changes a memo; position moves it',
        params: memoParams,
        headers: ifMatchHeader,
        body: memoChange,
        response: { 200: dataWithRemoved(deskMemo), ...deskErrors, ...notFoundError, ...conflictError },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request, request.body)
      const { id } = request.params
      return sendDeskReply(reply, await desk.changeMemo(asker, id, request.body, request.headers['if-match']))
    },
  )

  app.delete(
    paths.desk.memo,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Withdraws a memo for good',
        description: 'Its text is kept in the audit log.',
        params: memoParams,
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
      return sendDeskReply(
        reply,
        await desk.withdrawMemo(asker, request.params.id, request.headers['if-match']),
      )
    },
  )
}
