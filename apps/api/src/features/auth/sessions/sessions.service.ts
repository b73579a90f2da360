import { limits } from '@tidings/contracts/limits'
import type { FastifyRequest } from 'fastify'
import type { Authenticate, LiveSession, MemberAuth } from '#http/membership/member-session.ts'
import type { AccessClaims, AccessTokens } from '#platform/access-tokens/access-tokens.ts'
import type { Cache } from '#platform/cache/cache.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { Caller } from '../caller.ts'
import type { KnownSources } from '../known-sources.ts'
import {
  beginSession,
  endSessions,
  findLiveSession,
  listLiveSessions,
  noteUse,
  type SessionRow,
} from './sessions.repository.ts'

/** What a client keeps: the access token, and when it ends in milliseconds since 1970. */
export type Tokens = { accessToken: string; expires: number; type: 'bearer' }

/** A session that has begun. */
export type BegunSession = { tokens: Tokens; begunAt: Date }

/** The living session of an id, or that there is none; when it is over, and when its last use was noted. */
export type KnownSession = { session: LiveSession | null; expiresMs: number; usedMs: number }

type Deps = {
  database: Database
  tokens: AccessTokens
  apps: MembershipApps
  sources: KnownSources
  cache: Cache<KnownSession>
  invalidation: Invalidation
  clock: Clock
  ids: Ids
  logger: Logger
}

export type SessionService = {
  /** What a call's Authorization header proves, in the app of the call or, without one, in the site's own. */
  authenticate: Authenticate
  /** The same for the text of an Authorization header and an app's id. */
  prove(authorization: string | undefined, appId: string): Promise<MemberAuth>
  /** Whether a session lives; with its member's row held, it can only be ended by a logout until the transaction ends. */
  isThere(tx: Db, sessionId: string): Promise<boolean>
  /**
   * Begins a session of 14 days, after which the account knows the caller's network and browser. Returns null if the
   * password has changed since it was found right, or the member is gone. May run in a transaction.
   */
  begin(
    db: Db,
    app: MembershipApp,
    memberId: string,
    options: { caller: Caller; password?: { found: string; rehashed: string | null } },
  ): Promise<BegunSession | null>
  /** Ends one session of a member, in all processes; answers whether there was one. */
  end(memberId: string, sessionId: string): Promise<boolean>
  /** Ends all sessions of a member but one, in the caller's transaction; returns how many. */
  endOthers(tx: Db, memberId: string, keep: string | null): Promise<number>
  list(memberId: string): Promise<SessionRow[]>
}

const bearer = /^Bearer +([\w.-]{1,2000})$/i
const hourMs = 3_600_000

/** Sessions in Postgres, known in memory for as long as nobody says that they ended. */
export function createSessionService(deps: Deps): SessionService {
  const { database, tokens, apps, sources, cache, invalidation, clock, ids, logger } = deps

  async function load(id: string): Promise<KnownSession> {
    const row = await findLiveSession(database.db, id, clock.now())
    if (row === null) return { session: null, expiresMs: 0, usedMs: 0 }
    const session = { id, memberId: row.memberId, appId: row.member.appId }
    return { session, expiresMs: row.expiresAt.getTime(), usedMs: row.lastUsedAt.getTime() }
  }

  /** Once an hour, beside the call: nobody waits for it. */
  function noteUseOf(known: KnownSession, session: LiveSession): void {
    const now = clock.now()
    if (now.getTime() - known.usedMs < hourMs) return
    known.usedMs = now.getTime()
    void noteUse(database.db, session, now).catch((error: unknown) =>
      logger.warn({ err: error }, 'the use of a session could not be noted'),
    )
  }

  function proofOf(known: KnownSession, claims: AccessClaims, appId: string): MemberAuth {
    const { session } = known
    const isRight =
      session !== null &&
      session.memberId === claims.memberId &&
      session.appId === appId &&
      claims.appId === appId
    if (!isRight) return 'invalid'
    noteUseOf(known, session)
    return session
  }

  async function find(sessionId: string): Promise<KnownSession> {
    const key = cacheKeys.session(sessionId)
    return cache.peek(key) ?? (await cache.load(key, () => load(sessionId)))
  }

  async function lookUp(token: string, appId: string): Promise<MemberAuth> {
    const claims = await tokens.verify(token)
    return claims === null ? 'invalid' : proofOf(await find(claims.sessionId), claims, appId)
  }

  async function lookUpFor(token: string, request: FastifyRequest): Promise<MemberAuth> {
    return await lookUp(token, request.membershipApp?.id ?? (await apps.siteApp()).id)
  }

  return {
    authenticate(request) {
      const { authorization } = request.headers
      if (authorization === undefined) return 'none'
      const token = bearer.exec(authorization)?.[1]
      if (token === undefined) return 'invalid'
      const claims = tokens.peek(token)
      const known = claims === null ? undefined : cache.peek(cacheKeys.session(claims.sessionId))
      if (claims === null || known === undefined || request.membershipApp === null) {
        return lookUpFor(token, request)
      }
      return proofOf(known, claims, request.membershipApp.id)
    },
    async prove(authorization, appId) {
      if (authorization === undefined) return 'none'
      const token = bearer.exec(authorization)?.[1]
      return token === undefined ? 'invalid' : await lookUp(token, appId)
    },
    isThere: async (tx, sessionId) => (await findLiveSession(tx, sessionId, clock.now())) !== null,
    async begin(db, app, memberId, { caller, password }) {
      const createdAt = clock.now()
      const expires = createdAt.getTime() + limits.sessionDays * 24 * hourMs
      // A token's time is in whole seconds.
      const expiresMs = Math.floor(expires / 1000) * 1000
      const id = ids.uuid()
      const session = { id, memberId, createdAt, expiresAt: new Date(expiresMs), userAgent: caller.userAgent }
      const { network, browser } = sources.hashesOf(caller)
      const hasBegun = await invalidation.invalidateBy(
        db,
        { at: [cacheKeys.member(memberId)] },
        (notification) => beginSession(db, session, { password, notification, sources: [network, browser] }),
      )
      if (!hasBegun) return null
      const accessToken = await tokens.sign({ memberId, sessionId: id, appId: app.id, expiresMs })
      return { tokens: { accessToken, expires: expiresMs, type: 'bearer' }, begunAt: createdAt }
    },
    end: (memberId, sessionId) =>
      database.transaction(async (tx) => {
        const ended = await endSessions(tx, memberId, { only: sessionId })
        if (ended.length > 0) await invalidation.invalidate(tx, { at: ended.map(cacheKeys.session) })
        return ended.length > 0
      }),
    async endOthers(tx, memberId, keep) {
      const ended = await endSessions(tx, memberId, keep === null ? {} : { except: keep })
      if (ended.length > 0) await invalidation.invalidate(tx, { at: ended.map(cacheKeys.session) })
      return ended.length
    },
    list: (memberId) => listLiveSessions(database.db, memberId, clock.now()),
  }
}
