import {
  announceTyping,
  createPost,
  createThread,
  deletePost,
  deleteThread,
  getCommentChannel,
  listPosts,
  listThreads,
  reportPost,
  reportThread,
  subscribeToComments,
  updatePost,
  updateThread,
  votePost,
  voteThread,
} from '@tidings/contracts/membership/comments'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
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

const done = { data: { success: true } } as const

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

  register(app, listPosts, async (request) => {
    const { channelKey, ...page } = request.query
    return { data: await comments.listPosts(await viewerOf(request), channelKey, toPage(page)) }
  })

  register(app, listThreads, async (request) => {
    const { postId, ...page } = request.query
    return { data: await comments.listThreads(await viewerOf(request), postId, toPage(page)) }
  })

  register(app, createPost, async (request) => {
    const { channelKey, content } = request.body
    return { data: await comments.create(writerOf(request), 'post', channelKey, content) }
  })

  register(app, updatePost, async (request) => {
    const { postId } = request.params
    return { data: await comments.update(writerOf(request), 'post', postId, request.body.content) }
  })

  register(app, votePost, async (request) => {
    await comments.vote(writerOf(request), 'post', request.params.postId, request.body.vote)
    return done
  })

  register(app, reportPost, async (request) => {
    await comments.report(writerOf(request), 'post', request.params.postId, request.body.reason)
    return done
  })

  register(app, reportThread, async (request) => {
    await comments.report(writerOf(request), 'thread', request.params.threadId, request.body.reason)
    return done
  })

  register(app, deletePost, async (request) => {
    const { postId } = request.params
    await comments.remove(writerOf(request), 'post', postId)
    return { data: { id: postId } }
  })

  register(app, createThread, async (request) => {
    const { postId, content } = request.body
    return { data: await comments.create(writerOf(request), 'thread', postId, content) }
  })

  register(app, updateThread, async (request) => {
    const { threadId } = request.params
    return { data: await comments.update(writerOf(request), 'thread', threadId, request.body.content) }
  })

  register(app, voteThread, async (request) => {
    await comments.vote(writerOf(request), 'thread', request.params.threadId, request.body.vote)
    return done
  })

  register(app, deleteThread, async (request) => {
    const { threadId } = request.params
    await comments.remove(writerOf(request), 'thread', threadId)
    return { data: { id: threadId } }
  })

  register(app, getCommentChannel, async (request) => {
    return { data: await comments.channel(await viewerOf(request), request.query.channelKey) }
  })

  register(app, subscribeToComments, async (request) => {
    await comments.subscribe(writerOf(request), request.body.channelKey, request.body.action)
    return done
  })

  register(app, announceTyping, async (request) => {
    await typing.announce(writerOf(request), request.body.channelKey)
    return done
  })
}

function toPage({ after, ...page }: Omit<Page, 'after'> & { after?: string | undefined }): Page {
  return { ...page, after: after === undefined ? null : BigInt(after) }
}
