import {
  commentModeration,
  deskComment,
  deskCommentAuthor,
  deskCommentQuery,
  pageOf,
} from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { askerOf, editorOf, sendDeskReply } from '../asker.ts'
import { deskErrors, notFoundError, secured } from '../desk-document.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import type { CommentDesk } from './comment-desk.service.ts'

const commentParams = z.object({
  id: z.string().regex(/^cmt_[0-9A-Za-z]{1,28}$/, "must be a comment's id"),
})
const authorParams = z.object({
  memberId: z.string().regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id"),
})
const tags = ['Desk: comments']

/** Comments at the desk. */
export function registerCommentDeskRoutes(app: App, { desk }: { desk: CommentDesk }): void {
  app.get(
    paths.desk.comments,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Posts and threads, newest first, hidden ones included',
        querystring: deskCommentQuery,
        response: { 200: pageOf(deskComment), ...deskErrors },
      },
    },
    async (request) => {
      requireScope(editorOf(request), 'read')
      return await desk.list(request.query)
    },
  )

  app.patch(
    paths.desk.comment,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Hides a post or thread from everybody, or shows it again',
        description: 'Needs the scope `publish`. With a post its threads are out of sight too.',
        params: commentParams,
        body: commentModeration,
        response: { 200: dataOf(deskComment), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      return sendDeskReply(reply, await desk.moderate(askerOf(request, body), params.id, body.hidden))
    },
  )

  app.patch(
    paths.desk.commentAuthor,
    {
      config: { access: 'editor' },
      schema: {
        tags,
        security: secured,
        summary: 'Hides whatever a member writes and wrote from everybody else, or shows it again',
        description: 'Needs the scope `publish`. The member goes on seeing it.',
        params: authorParams,
        body: commentModeration,
        response: { 200: dataOf(deskCommentAuthor), ...deskErrors, ...notFoundError },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      return sendDeskReply(
        reply,
        await desk.moderateAuthor(askerOf(request, body), params.memberId, body.hidden),
      )
    },
  )
}
