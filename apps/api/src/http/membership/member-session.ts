import type { FastifyRequest } from 'fastify'
import { fail } from './membership.errors.ts'

/** An active session and its member. */
export type LiveSession = { id: string; memberId: string; appId: string }

/** The result of checking an access token: there is none; it is invalid, expired or another app's; or its session. */
export type MemberAuth = 'none' | 'invalid' | LiveSession

/** Authenticates a call by its access token, synchronously if the session is cached. */
export type Authenticate = (request: FastifyRequest) => MemberAuth | Promise<MemberAuth>

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    memberSession: LiveSession | null
  }
}

/** Returns the session of a call; routes with `access: 'member'` always have one. */
export function sessionOf(request: FastifyRequest): LiveSession {
  if (request.memberSession === null) throw fail('login-required')
  return request.memberSession
}

/** Checks the access to routes for members: stores the session on the request, or throws. */
export function requireSession(request: FastifyRequest, authenticate: Authenticate): void | Promise<void> {
  const found = authenticate(request)
  if (found instanceof Promise) return found.then((auth) => keep(request, auth))
  keep(request, found)
}

function keep(request: FastifyRequest, auth: MemberAuth): void {
  if (auth === 'none') throw fail('login-required')
  if (auth === 'invalid') throw fail('client/invalid-token')
  request.memberSession = auth
}
