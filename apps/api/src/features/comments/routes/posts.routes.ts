import {
  commentDoneReply,
  createPostRequest,
  deletedCommentReply,
  listPostsQuery,
  postReply,
  postsReply,
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

const postParams = z.object({ postId: z.string() })

/** Posts: the comments of a channel. */
export function registerPostRoutes(app: App, { comments, viewerOf, writerOf }: CommentRouteDeps): void {
  app.get(
    membershipPaths.posts,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'A page of the posts of a channel',
        querystring: listPostsQuery,
        response: { 200: postsReply },
      },
    },
    async (request) => {
      const viewer = await viewerOf(request)
      return { data: await comments.listPosts(viewer, request.query.channelKey, toPage(request.query)) }
    },
  )

  app.post(
    membershipPaths.posts,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Writes a post',
        body: createPostRequest,
        response: { 200: postReply, ...writingErrors },
      },
    },
    async (request) => {
      const { channelKey, content } = request.body
      return { data: await comments.createPost(writerOf(request), channelKey, content) }
    },
  )

  app.patch(
    membershipPaths.updatePost,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: "Changes a post of the member's own",
        params: postParams,
        body: updateCommentRequest,
        response: { 200: postReply, ...writingErrors, ...notOwnError, ...notFoundError },
      },
    },
    async (request) => {
      const { postId } = request.params
      return { data: await comments.updatePost(writerOf(request), postId, request.body.content) }
    },
  )

  app.post(
    membershipPaths.votePost,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: 'Votes for or against a post, or takes the vote back',
        params: postParams,
        body: voteRequest,
        response: { 200: commentDoneReply, ...writingErrors, ...notFoundError },
      },
    },
    async (request) => {
      await comments.vote(writerOf(request), 'post', request.params.postId, request.body.vote)
      return { data: { success: true } } as const
    },
  )

  app.delete(
    membershipPaths.post,
    {
      config: { access: 'member' },
      schema: {
        tags,
        summary: "Deletes a post of the member's own, with its threads",
        params: postParams,
        response: { 200: deletedCommentReply, ...writingErrors, ...notOwnError, ...notFoundError },
      },
    },
    async (request) => {
      const { postId: id } = request.params
      await comments.remove(writerOf(request), 'post', id)
      return { data: { id } }
    },
  )
}
