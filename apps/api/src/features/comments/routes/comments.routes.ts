import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { type Authenticate, sessionOf } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { appOf } from '#http/membership/membership.ts'
import { toViewer } from '../comments.mapper.ts'
import type { CommentService } from '../comments.service.ts'
import type { Viewer, Writer } from '../stored/comment-sight.repository.ts'
import type { Typing } from '../typing/typing.service.ts'
import { registerChannelRoutes } from './channels.routes.ts'
import { registerPostRoutes } from './posts.routes.ts'
import { registerThreadRoutes } from './threads.routes.ts'

type Deps = { comments: CommentService; typing: Typing; authenticate: Authenticate }

/** Every route of `/comments`. To be registered where calls have an app. */
export function registerCommentRoutes(app: App, { comments, typing, authenticate }: Deps): void {
  async function viewerOf(request: FastifyRequest): Promise<Viewer> {
    const proof = await authenticate(request)
    if (proof === 'invalid') throw failMembership('client/invalid-token')
    return toViewer(appOf(request), proof === 'none' ? null : proof.memberId)
  }
  registerChannelRoutes(app, { comments, typing, viewerOf, writerOf })
  registerPostRoutes(app, { comments, viewerOf, writerOf })
  registerThreadRoutes(app, { comments, viewerOf, writerOf })
}

function writerOf(request: FastifyRequest): Writer {
  return toViewer(appOf(request), sessionOf(request).memberId)
}
