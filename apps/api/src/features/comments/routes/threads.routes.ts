import {
  commentDoneReply,
  createThreadRequest,
  deletedCommentReply,
  listThreadsQuery,
  threadReply,
  threadsReply,
  updateCommentRequest,
  voteRequest,
} from '@tidings/contracts/comments'
import { membershipPaths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import {
  type CommentRouteDeps,
  notFoundError,
  notOwnError,
  tags,
  writingErrors,
} from './comments-document.ts'
import { toPage } from './comments-page.ts'

const threadParams = z.object({ threadId: z.string() })

/** Threads: the replies to a post. */
export function registerThreadRoutes(app: App, { comments, viewerOf, writerOf }: CommentRouteDeps): void {
  app.get(
    membershipPaths.threads,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'A page of the threads of a post',
        querystring: listThreadsQuery,
        response: { 200: threadsReply, ...notFoundError },
      },
    },
    async (request) => {
      const viewer = await viewerOf(request)
      const threads = await comments.listThreads(viewer, request.query.postId, toPage(request.query))
      return { data: { threads } }
    },
  )

  app.post(
    membershipPaths.threads,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Answers a post',
        body: createThreadRequest,
        response: { 200: threadReply, ...writingErrors, ...notFoundError },
      },
    },
    async (request) => {
      const { postId, content } = request.body
      return { data: await comments.createThread(writerOf(request), postId, content) }
    },
  )

  app.patch(
    membershipPaths.updateThread,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: "Changes a thread of the member's own",
        params: threadParams,
        body: updateCommentRequest,
        response: { 200: threadReply, ...writingErrors, ...notOwnError, ...notFoundError },
      },
    },
    async (request) => {
      const { threadId } = request.params
      return { data: await comments.updateThread(writerOf(request), threadId, request.body.content) }
    },
  )

  app.post(
    membershipPaths.voteThread,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Votes for or against a thread, or takes the vote back',
        params: threadParams,
        body: voteRequest,
        response: { 200: commentDoneReply, ...writingErrors, ...notFoundError },
      },
    },
    async (request) => {
      await comments.vote(writerOf(request), 'thread', request.params.threadId, request.body.vote)
      return { data: { success: true } } as const
    },
  )

  app.delete(
    membershipPaths.thread,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: "Deletes a thread of the member's own",
        params: threadParams,
        response: { 200: deletedCommentReply, ...writingErrors, ...notOwnError, ...notFoundError },
      },
    },
    async (request) => {
      const { threadId: id } = request.params
      await comments.remove(writerOf(request), 'thread', id)
      return { data: { id } }
    },
  )
}
