import { messages } from '@tidings/contracts/messages'
import type { FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors.ts'

/** A login that lives: which one, and whose. */
export type LiveSession = { id: string; memberId: string; appId: string }

/**
 * What a call's access token proves: nothing because there is none; nothing because it does not verify, is another
 * app's or has ended; or a living session.
 */
export type MemberProof = 'none' | 'invalid' | LiveSession

/** Tells what a call proves; known at once, or looked up first. */
export type FindProof = (request: FastifyRequest) => MemberProof | Promise<MemberProof>

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    /** The login of a call to a route for members. */
    memberSession: LiveSession | null
  }
}

/** The login of a call; on routes with `access: 'member'` there is one. */
export function sessionOf(request: FastifyRequest): LiveSession {
  if (request.memberSession === null) throw new LoginRequiredError()
  return request.memberSession
}

/** The check of routes for members: keeps the session on the request, or throws. */
export function requireSession(request: FastifyRequest, findProof: FindProof): void | Promise<void> {
  const proof = findProof(request)
  if (proof instanceof Promise) return proof.then((found) => keep(request, found))
  keep(request, proof)
}

function keep(request: FastifyRequest, proof: MemberProof): void {
  if (proof === 'none') throw new LoginRequiredError()
  if (proof === 'invalid') throw new InvalidTokenError()
  request.memberSession = proof
}

/** Nobody is logged in. */
class LoginRequiredError extends AppError {
  constructor() {
    super('login-required', 401, 'Please log in first.')
  }
}

/** The access token does not verify, or its session has ended. */
export class InvalidTokenError extends AppError {
  constructor() {
    super('client/invalid-token', 401, messages.invalidToken)
  }
}
