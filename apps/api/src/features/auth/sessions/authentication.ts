import type { FastifyRequest } from 'fastify'
import type { LiveSession, MemberAuth } from '#http/membership/member-session.ts'
import type { AccessClaims, AccessTokens } from '#platform/access-tokens/access-tokens.ts'
import type { Cache } from '#platform/cache/cache.ts'
import type { AuthDeps } from '../auth.deps.ts'
import { findActiveSession, storeLastUse } from './sessions.repository.ts'

/** A cached session, or null for an id without an active one; when it expires and was last stored as used. */
export type KnownSession = { session: LiveSession | null; expiresMs: number; usedMs: number }

export type AuthenticationDeps = Pick<AuthDeps, 'database' | 'apps' | 'clock' | 'logger'> & {
  tokens: AccessTokens
  cache: Cache<KnownSession>
}

const bearer = /^Bearer +([\w.-]{1,2000})$/i
const hourMs = 3_600_000

/** Returns the key of a cached session. */
export function sessionCacheKey(sessionId: string): string {
  return `session:${sessionId}`
}

/** Creates what finds the session of an access token. */
export function createAuthentication(deps: AuthenticationDeps) {
  const { database, tokens, apps, cache, clock, logger } = deps

  async function load(id: string): Promise<KnownSession> {
    const row = await findActiveSession(database.db, id, clock.now())
    if (row === null) return { session: null, expiresMs: 0, usedMs: 0 }
    const session = { id, memberId: row.memberId, appId: row.member.appId }
    return { session, expiresMs: row.expiresAt.getTime(), usedMs: row.lastUsedAt.getTime() }
  }

  /** Stores the use of a session once an hour, without delaying the call. */
  function noteUse(known: KnownSession, session: LiveSession): void {
    const now = clock.now()
    if (now.getTime() - known.usedMs < hourMs) return
    known.usedMs = now.getTime()
    void storeLastUse(database.db, session, now).catch((error: unknown) =>
      logger.warn({ err: error }, 'session use not stored'),
    )
  }

  function match(known: KnownSession, claims: AccessClaims, appId: string): MemberAuth {
    const { session } = known
    const isRight =
      session !== null &&
      session.memberId === claims.memberId &&
      session.appId === appId &&
      claims.appId === appId
    if (!isRight) return 'invalid'
    noteUse(known, session)
    return session
  }

  async function verify(token: string, appId: string): Promise<MemberAuth> {
    const claims = await tokens.verify(token)
    if (claims === null) return 'invalid'
    const key = sessionCacheKey(claims.sessionId)
    const known = cache.peek(key) ?? (await cache.load(key, () => load(claims.sessionId)))
    return match(known, claims, appId)
  }

  async function verifyFor(token: string, request: FastifyRequest): Promise<MemberAuth> {
    return await verify(token, request.membershipApp?.id ?? (await apps.siteApp()).id)
  }

  return {
    /** Authenticates a call in its app or, if it names none, in the site's own. Synchronous for cached sessions. */
    authenticate(request: FastifyRequest): MemberAuth | Promise<MemberAuth> {
      const { authorization } = request.headers
      if (authorization === undefined) return 'none'
      const token = bearer.exec(authorization)?.[1]
      if (token === undefined) return 'invalid'
      const claims = tokens.peek(token)
      const known = claims === null ? undefined : cache.peek(sessionCacheKey(claims.sessionId))
      if (claims === null || known === undefined || request.membershipApp === null) {
        return verifyFor(token, request)
      }
      return match(known, claims, request.membershipApp.id)
    },
    async authenticateToken(token: string, appId: string): Promise<MemberAuth> {
      return bearer.test(`Bearer ${token}`) ? await verify(token, appId) : 'invalid'
    },
  }
}
