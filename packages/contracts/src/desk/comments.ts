import { z } from 'zod'
import { dataOf, listQuery, pageOf } from '../envelope.ts'
import { channelKey } from '../membership/comments.ts'
import { deskEndpoint } from './desk-endpoint.ts'

/** A post or thread, hidden or not. */
export const deskComment = z.object({
  id: z.string().describe('cmt_…'),
  kind: z.enum(['post', 'thread']),
  appId: z.string(),
  channelKey: z.string(),
  postId: z.string().nullable().describe('The post that a thread replies to; null for a post'),
  memberId: z.string().describe('Its author'),
  content: z.string(),
  hidden: z.boolean().describe('Hidden from everyone'),
  authorHidden: z.boolean().describe('All comments of its author are hidden from other members'),
  createdAt: z.iso.datetime(),
  editedAt: z.iso.datetime().nullable(),
})
export type DeskComment = z.infer<typeof deskComment>

/** Body of `PATCH /desk/v1/comments/{id}` and `/desk/v1/comment-authors/{memberId}`. */
export const commentModeration = z.strictObject({ hidden: z.boolean() })

export const deskCommentAuthor = z.object({
  memberId: z.string(),
  hidden: z.boolean(),
  hiddenAt: z.iso.datetime().nullable().describe('Null unless hidden'),
})
export type DeskCommentAuthor = z.infer<typeof deskCommentAuthor>

/** Query of `GET /desk/v1/comments`. */
export const deskCommentQuery = listQuery.extend({
  channelKey: channelKey.optional(),
  memberId: z
    .string()
    .regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id")
    .optional(),
  hidden: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: only comments that are hidden, themselves or with their author; false: only the others'),
  after: z
    .string()
    .regex(/^\d{1,18}-\d{1,18}$/, "must be the 'next' of the page before")
    .optional(),
})
export type DeskCommentQuery = z.infer<typeof deskCommentQuery>

export const listComments = deskEndpoint(
  { method: 'GET', path: '/desk/v1/comments' },
  {
    tag: 'Desk: comments',
    summary: 'Lists posts and threads, newest first, hidden ones included',
    scope: 'read',
    query: deskCommentQuery,
    reply: pageOf(deskComment),
  },
)

const moderation = { scope: 'publish', roles: ['moderator', 'editor', 'owner'] } as const

export const moderateComment = deskEndpoint(
  { method: 'PATCH', path: '/desk/v1/comments/:id' },
  {
    tag: 'Desk: comments',
    summary: 'Hides a post or thread from everyone, or shows it again',
    description: 'Hiding a post hides its threads too.',
    ...moderation,
    params: z.object({ id: z.string().regex(/^cmt_[0-9A-Za-z]{1,28}$/, "must be a comment's id") }),
    body: commentModeration,
    reply: dataOf(deskComment),
  },
)

export const moderateAuthor = deskEndpoint(
  { method: 'PATCH', path: '/desk/v1/comment-authors/:memberId' },
  {
    tag: 'Desk: comments',
    summary: 'Hides all comments of a member, past and future, or shows them again',
    description: 'The member continues to see them.',
    ...moderation,
    params: z.object({ memberId: z.string().regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id") }),
    body: commentModeration,
    reply: dataOf(deskCommentAuthor),
  },
)
