import {
  commentModeration,
  deskComment,
  deskCommentAuthor,
  deskCommentQuery,
} from '@tidings/contracts/desk/comments'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { deskRoute } from '../requests/desk-route.ts'
import type { CommentDesk } from './comment-desk.service.ts'

const tag = 'Desk: comments'

export function registerCommentDesk(app: App, desk: CommentDesk): void {
  deskRoute(app, {
    method: 'GET',
    url: paths.desk.comments,
    tag,
    summary: 'Lists posts and threads, newest first, hidden ones included',
    scope: 'read',
    query: deskCommentQuery,
    response: { 200: pageOf(deskComment) },
    run: ({ query }) => desk.list(query),
  })

  deskRoute(app, {
    method: 'PATCH',
    url: paths.desk.comment,
    tag,
    summary: 'Hides a post or thread from everyone, or shows it again',
    description: 'Needs the scope `publish`. Hiding a post hides its threads too.',
    params: z.object({ id: z.string().regex(/^cmt_[0-9A-Za-z]{1,28}$/, "must be a comment's id") }),
    body: commentModeration,
    response: { 200: dataOf(deskComment) },
    run: ({ requester, params: { id }, body }) => desk.moderate(requester, id, body.hidden),
  })

  deskRoute(app, {
    method: 'PATCH',
    url: paths.desk.commentAuthor,
    tag,
    summary: 'Hides all comments of a member, past and future, or shows them again',
    description: 'Needs the scope `publish`. The member continues to see them.',
    params: z.object({ memberId: z.string().regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id") }),
    body: commentModeration,
    response: { 200: dataOf(deskCommentAuthor) },
    run: ({ requester, params, body }) => desk.moderateAuthor(requester, params.memberId, body.hidden),
  })
}
