import { z } from 'zod'
import { dataOf, listQuery, pageOf } from '../envelope.ts'
import { limits } from '../limits.ts'
import { channelKey } from '../membership/comments.ts'
import type { DeskRole } from './desk.ts'
import { deskEndpoint } from './desk-endpoint.ts'
import { findDays, findText } from './find.ts'
import * as routes from './routes.ts'

/** A post or thread, hidden or not. */
export const deskComment = z.object({
  id: z.string().describe('cmt_…'),
  kind: z.enum(['post', 'thread']),
  appId: z.string(),
  channelKey: z.string(),
  postId: z.string().nullable().describe('The post that a thread replies to; null for a post'),
  memberId: z.string().describe('Its author'),
  author: z.object({
    name: z.string().nullable().describe('As readers see it; null without one'),
    since: z.iso.datetime().describe('When the member joined'),
  }),
  article: z
    .object({ id: z.string(), title: z.string() })
    .nullable()
    .describe('The gated article below which it stands; null elsewhere'),
  edition: z.string().nullable().describe('The key of the edition below which it stands; null elsewhere'),
  reports: z
    .array(z.object({ reason: z.string(), at: z.iso.datetime() }))
    .describe("Readers' reports that no editor has ended, oldest first; not who reported"),
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
  show: z
    .enum(['reported', 'new', 'hidden', 'all'])
    .default('all')
    .describe(
      'reported: those that wait for a decision, the oldest report first; the other filters but the page do not apply. new: visible ones of the last 24 hours. hidden: hidden themselves or with their author',
    ),
  ...findDays,
  q: findText.optional().describe('Words of the comment, or of its author’s name'),
  after: z
    .union([
      z.string().regex(/^\d{1,18}-\d{1,18}$/, "must be the 'next' of the page before"),
      z.uuid("must be the 'next' of the page before"),
    ])
    .optional(),
})
export type DeskCommentQuery = z.infer<typeof deskCommentQuery>

const id = z.string().regex(/^cmt_[0-9A-Za-z]{1,28}$/, "must be a comment's id")

/** Those who decide about comments. */
const roles = ['moderator', 'editor', 'owner'] as const satisfies readonly DeskRole[]

const ids = z
  .array(id)
  .min(1)
  .max(limits.commentsPerPage)
  .refine((given) => new Set(given).size === given.length, 'must not contain duplicates')

/** The result of a decision about several comments. */
export const commentDecision = z.object({
  comments: z.array(deskComment).describe('Those that exist, as they are now'),
  changed: z.array(z.string()).describe('The ids of those that it changed: send them back to undo it'),
})
export type CommentDecision = z.infer<typeof commentDecision>

export const hideRequest = z.strictObject({
  ids,
  hidden: z.boolean().default(true).describe('false shows them again'),
})

/** A comment with what stands around it, and its author. */
export const commentContext = z.object({
  comment: deskComment,
  around: z
    .array(deskComment)
    .describe(
      'In reading order, the comment included: the post of a thread and the threads beside it, or the posts beside a post and its first threads',
    ),
  author: z.object({
    memberId: z.string(),
    name: z.string().nullable(),
    since: z.iso.datetime(),
    plans: z.array(z.string()).describe('The ids of the active plans'),
    comments: z.int(),
    hidden: z.int().describe('Of these, hidden by an editor'),
    allHidden: z.boolean(),
  }),
})
export type CommentContext = z.infer<typeof commentContext>

export const countComments = deskEndpoint(routes.countComments, {
  tag: 'Desk: comments',
  summary: 'Counts the reported, the new and the hidden comments',
  scope: 'read',
  reply: dataOf(z.object({ reported: z.int(), new: z.int(), hidden: z.int() })),
})

export const getCommentContext = deskEndpoint(routes.getCommentContext, {
  tag: 'Desk: comments',
  summary: 'Returns a comment with those around it and its author',
  scope: 'read',
  params: z.object({ id }),
  reply: dataOf(commentContext),
})

export const hideComments = deskEndpoint(routes.hideComments, {
  tag: 'Desk: comments',
  summary: 'Hides posts and threads from everyone, or shows them again',
  description: 'Comments that no longer exist are left out. Reports stay open, so that it can be undone.',
  scope: 'publish',
  roles,
  body: hideRequest,
  reply: dataOf(commentDecision),
})

export const keepComments = deskEndpoint(routes.keepComments, {
  tag: 'Desk: comments',
  summary: 'Keeps posts and threads: ends their reports',
  scope: 'publish',
  roles,
  body: z.strictObject({ ids }),
  reply: dataOf(commentDecision),
})

export const listComments = deskEndpoint(routes.listComments, {
  tag: 'Desk: comments',
  summary: 'Lists posts and threads, newest first, hidden ones included; or the reported ones',
  scope: 'read',
  query: deskCommentQuery,
  reply: pageOf(deskComment),
})

export const moderateComment = deskEndpoint(
  { method: 'PATCH', path: '/desk/v1/comments/:id' },
  {
    tag: 'Desk: comments',
    summary: 'Hides a post or thread from everyone, or shows it again',
    description: 'Hiding a post hides its threads too.',
    scope: 'publish',
    roles,
    params: z.object({ id }),
    body: commentModeration,
    reply: dataOf(deskComment),
  },
)

export const moderateAuthor = deskEndpoint(routes.moderateAuthor, {
  tag: 'Desk: comments',
  summary: 'Hides all comments of a member, past and future, or shows them again',
  description: 'The member continues to see them.',
  scope: 'publish',
  roles,
  params: z.object({ memberId: z.string().regex(/^mem_[0-9A-Za-z]{1,28}$/, "must be a member's id") }),
  body: commentModeration,
  reply: dataOf(deskCommentAuthor),
})
