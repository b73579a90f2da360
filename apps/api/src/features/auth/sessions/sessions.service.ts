import { limits } from '@tidings/contracts/limits'
import type { MemberSession } from '@tidings/contracts/membership/auth'
import type { FastifyRequest } from 'fastify'
import { removeFeed } from '#features/feeds/index.ts'
import { memberCacheKey, removeExpiredPushDevices } from '#features/members/index.ts'
import type { LiveSession, MemberAuth } from '#http/membership/member-session.ts'
import type { AccessClaims, AccessTokens } from '#platform/access-tokens/access-tokens.ts'
import type { Cache } from '#platform/cache/cache.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { Caller } from '../caller.ts'
import type { KnownSources } from '../known-sources.ts'
import {
  findActiveSession,
  insertSession,
  listActiveSessions,
  removeSessions,
  type SessionRow,
  storeLastUse,
} from './sessions.repository.ts'

/** A new session's access token and the time of its login. */
export type BegunSession = { tokens: MemberSession['tokens']; begunAt: Date }

/** A cached session, or null for an id without an active one; when it expires and was last stored as used. */
export type KnownSession = { session: LiveSession | null; expiresMs: number; usedMs: number }

type Deps = Pick<AuthDeps, 'database' | 'apps' | 'invalidation' | 'clock' | 'ids' | 'logger'> & {
  tokens: AccessTokens
  sources: KnownSources
  cache: Cache<KnownSession>
}

export type SessionService = ReturnType<typeof createSessionService>

export function sessionCacheKey(sessionId: string): string {
  return `session:${sessionId}`
}

const bearer = /^Bearer +([\w.-]{1,2000})$/i
const hourMs = 3_600_000

/** Creates the service of sessions: in Postgres, cached until they are invalidated. */
export function createSessionService(deps: Deps) {
  const { database, tokens, apps, sources, cache, invalidation, clock, ids, logger } = deps

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

  async function end(tx: Db, memberId: string, which: { id?: string | { not: string } }): Promise<number> {
    const ended = await removeSessions(tx, memberId, which)
    if (ended.length > 0) await invalidation.invalidate(tx, { at: ended.map(sessionCacheKey) })
    return ended.length
  }

  /**
   * Ends all sessions of a member but one, the notifications of their browsers, and the feed, whose address opens the
   * editions as a session does (ADR 0062). Returns how many sessions.
   */
  async function endOthers(tx: Db, memberId: string, keep: string | null): Promise<number> {
    const ended = await end(tx, memberId, keep === null ? {} : { id: { not: keep } })
    // After the sessions: an address that one of them creates now waits for their end, and isn't created.
    await removeFeed(tx, memberId)
    await removeExpiredPushDevices(tx, memberId)
    return ended
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
    /** Returns whether a session is active. While its member's row is locked, only a logout can end it. */
    async isActive(tx: Db, sessionId: string): Promise<boolean> {
      return (await findActiveSession(tx, sessionId, clock.now())) !== null
    },
    /** Begins a session; null if the member is gone or the password has changed since it was verified. */
    async begin(
      db: Db,
      app: MembershipApp,
      memberId: string,
      { caller, password }: { caller: Caller; password?: { found: string; rehashed: string | null } },
    ): Promise<BegunSession | null> {
      const createdAt = clock.now()
      const expires = createdAt.getTime() + limits.sessionDays * 24 * hourMs
      // A token's expiry is in whole seconds.
      const expiresMs = Math.floor(expires / 1000) * 1000
      const id = ids.uuid()
      const { network, browser } = sources.hashesOf(caller)
      const session = { id, memberId, createdAt, expiresAt: new Date(expiresMs), userAgent: caller.userAgent }
      const hasBegun = await invalidation.invalidateBy(
        db,
        { at: [memberCacheKey(memberId)] },
        (notification) =>
          insertSession(db, { ...session, password, notification, sources: [network, browser] }),
      )
      if (!hasBegun) return null
      const accessToken = await tokens.sign({ memberId, sessionId: id, appId: app.id, expiresMs })
      return { tokens: { accessToken, expires: expiresMs, type: 'bearer' }, begunAt: createdAt }
    },
    /** Ends one session of a member; returns whether it was active. */
    async end(memberId: string, sessionId: string): Promise<boolean> {
      return await database.transaction(async (tx) => (await end(tx, memberId, { id: sessionId })) > 0)
    },
    endOthers,
    /** Ends all sessions of a member but one, and the feed; returns how many sessions. */
    async endAllOthers(memberId: string, keep: string): Promise<number> {
      return await database.transaction((tx) => endOthers(tx, memberId, keep))
    },
    async list(memberId: string): Promise<SessionRow[]> {
      return await listActiveSessions(database.db, memberId, clock.now())
    },
  }
}
