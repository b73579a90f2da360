import { errorReply } from '@tidings/contracts/errors'
import type { FastifyRequest } from 'fastify'
import type { CommentService } from '../comments.service.ts'
import type { Viewer, Writer } from '../stored/comment-sight.repository.ts'

/** What the routes of comments stand on. */
export type CommentRouteDeps = {
  comments: CommentService
  /** Who looks, member or not; throws `client/invalid-token` for a token that has ended. */
  viewerOf(request: FastifyRequest): Promise<Viewer>
  writerOf(request: FastifyRequest): Writer
}

export const tags = ['Membership: comments']

/** Refusals that every call of a member may answer. */
export const writingErrors = {
  400: errorReply.describe('What was sent is not valid; the message says what is expected'),
  401: errorReply.describe('Nobody is logged in'),
  429: errorReply.describe('Too much at once'),
} as const

export const notFoundError = { 404: errorReply.describe('There is no such comment to see') } as const
export const notOwnError = { 403: errorReply.describe("It is somebody else's") } as const
