import { z } from 'zod'
import { listQuery } from '../envelope.ts'
import { channelKey } from '../membership/comments.ts'

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
