import { describedError } from '@tidings/contracts/errors'
import * as contract from '@tidings/contracts/membership/comments'
import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { memberRoute, publicRoute } from '#http/endpoints/route-options.ts'
import { type Authenticate, sessionOf } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { appOf } from '#http/membership/membership.ts'
import type { GatePass } from '#http/sessions/gate-pass.ts'
import { toViewer } from './comments.mapper.ts'
import type { CommentService } from './comments.service.ts'
import type { Page } from './stored/comments.repository.ts'
import type { Viewer, Writer } from './stored/visible-comments.repository.ts'
import type { Typing } from './typing.service.ts'

type Deps = { comments: CommentService; typing: Typing; authenticate: Authenticate; gatePass: GatePass }

const channelDescription =
  "In the site's app, `article:{id}` asks for what the article asks for: the gate pass, a session and its plan. `edition:{key}` is open while the edition is published. All other channels are public to read."

const tags = ['Membership: comments']
const writeErrors = {
  400: describedError('The request is invalid; the message says what is expected'),
  401: describedError('No member is logged in'),
  403: describedError(
    "The article of this channel isn't open to the member, or the comment is another member's",
  ),
  404: describedError(
    'The comment does not exist or is hidden from the viewer, or its page is not published',
  ),
  429: describedError('Too many requests'),
}
const { 401: unauthorized, 403: forbidden, 404: notFound } = writeErrors
const readErrors = { 401: unauthorized, 403: forbidden, 404: notFound }
const done = { data: { success: true } } as const

/** The differences between the routes of posts and those of threads. */
const postKind = {
  kind: 'post',
  paths: {
    list: membershipPaths.posts,
    one: membershipPaths.post,
    update: membershipPaths.updatePost,
    vote: membershipPaths.votePost,
  },
  params: z.object({ postId: z.string() }),
  createBody: contract.createPostRequest,
  reply: contract.postReply,
  summaries: {
    create: 'Creates a post',
    update: "Edits one of the member's own posts",
    vote: 'Votes on a post or removes the vote',
    remove: "Deletes one of the member's own posts with its threads",
  },
} as const
const threadKind = {
  kind: 'thread',
  paths: {
    list: membershipPaths.threads,
    one: membershipPaths.thread,
    update: membershipPaths.updateThread,
    vote: membershipPaths.voteThread,
  },
  params: z.object({ threadId: z.string() }),
  createBody: contract.createThreadRequest,
  reply: contract.threadReply,
  summaries: {
    create: 'Replies to a post',
    update: "Edits one of the member's own threads",
    vote: 'Votes on a thread or removes the vote',
    remove: "Deletes one of the member's own threads",
  },
} as const

/** Registers every route of `/comments`. Call it where requests have an app. */
export function registerCommentRoutes(app: App, { comments, typing, authenticate, gatePass }: Deps): void {
  async function viewerOf(request: FastifyRequest): Promise<Viewer> {
    const auth = await authenticate(request)
    if (auth === 'invalid') throw failMembership('client/invalid-token')
    return toViewer(appOf(request), auth === 'none' ? null : auth.memberId, hasPass(request))
  }
  function writerOf(request: FastifyRequest): Writer {
    return toViewer(appOf(request), sessionOf(request).memberId, hasPass(request))
  }
  function hasPass({ headers }: FastifyRequest): boolean {
    return gatePass.isPassed(headers.cookie)
  }

  app.get(
    membershipPaths.posts,
    publicRoute('comments', 'Lists the posts of a channel, page by page', {
      description: channelDescription,
      querystring: contract.listPostsQuery,
      reply: contract.postsReply,
      errors: readErrors,
    }),
    async (request) => {
      const { channelKey, ...page } = request.query
      return { data: await comments.listPosts(await viewerOf(request), channelKey, toPage(page)) }
    },
  )

  app.get(
    membershipPaths.threads,
    publicRoute('comments', 'Lists the threads of a post, page by page', {
      querystring: contract.listThreadsQuery,
      reply: contract.threadsReply,
      errors: readErrors,
    }),
    async (request) => {
      const { postId, ...page } = request.query
      return { data: await comments.listThreads(await viewerOf(request), postId, toPage(page)) }
    },
  )

  for (const kind of [postKind, threadKind]) registerCommentKind(app, { comments, writerOf }, kind)

  app.get(
    membershipPaths.commentChannel,
    publicRoute('comments', 'Returns a channel; one without posts is empty', {
      querystring: contract.channelInfoQuery,
      reply: contract.channelInfoReply,
      errors: readErrors,
    }),
    async (request) => {
      return { data: await comments.channel(await viewerOf(request), request.query.channelKey) }
    },
  )

  app.post(
    membershipPaths.commentSubscription,
    memberRoute('comments', "Subscribes the member to a channel's threads, or unsubscribes", {
      body: contract.manageSubscriptionRequest,
      reply: contract.commentDoneReply,
      errors: writeErrors,
    }),
    async (request) => {
      await comments.subscribe(writerOf(request), request.body.channelKey, request.body.action)
      return done
    },
  )

  app.post(
    membershipPaths.typing,
    memberRoute('comments', 'Shows the readers of a channel that the member is typing', {
      description: 'Sends TYPING on `/socket?channel=KEY`, at most once in two seconds.',
      body: contract.typingRequest,
      reply: contract.commentDoneReply,
      errors: writeErrors,
    }),
    async (request) => {
      await typing.announce(writerOf(request), request.body.channelKey)
      return done
    },
  )
}

/** Registers how comments of one kind are created, edited, voted on and deleted. */
function registerCommentKind(
  app: App,
  { comments, writerOf }: { comments: CommentService; writerOf: (request: FastifyRequest) => Writer },
  { kind, paths, params, createBody, reply, summaries }: typeof postKind | typeof threadKind,
): void {
  const config = { access: 'member' } as const

  app.post(
    paths.list,
    {
      config,
      schema: {
        tags,
        summary: summaries.create,
        body: createBody,
        response: { 200: reply, ...writeErrors },
      },
    },
    async (request) => {
      const { body } = request
      const parent = 'channelKey' in body ? body.channelKey : body.postId
      return { data: await comments.create(writerOf(request), kind, parent, body.content) }
    },
  )

  app.patch(
    paths.update,
    {
      config,
      schema: {
        tags,
        summary: summaries.update,
        params,
        body: contract.updateCommentRequest,
        response: { 200: reply, ...writeErrors },
      },
    },
    async (request) => {
      const id = idOf(request.params)
      return { data: await comments.update(writerOf(request), kind, id, request.body.content) }
    },
  )

  app.post(
    paths.vote,
    {
      config,
      schema: {
        tags,
        summary: summaries.vote,
        params,
        body: contract.voteRequest,
        response: { 200: contract.commentDoneReply, ...writeErrors },
      },
    },
    async (request) => {
      await comments.vote(writerOf(request), kind, idOf(request.params), request.body.vote)
      return done
    },
  )

  app.delete(
    paths.one,
    {
      config,
      schema: {
        tags,
        summary: summaries.remove,
        params,
        response: { 200: contract.deletedCommentReply, ...writeErrors },
      },
    },
    async (request) => {
      const id = idOf(request.params)
      await comments.remove(writerOf(request), kind, id)
      return { data: { id } }
    },
  )
}

function idOf(params: { postId: string } | { threadId: string }): string {
  return 'postId' in params ? params.postId : params.threadId
}

function toPage({ after, ...page }: Omit<Page, 'after'> & { after?: string | undefined }): Page {
  return { ...page, after: after === undefined ? null : BigInt(after) }
}
