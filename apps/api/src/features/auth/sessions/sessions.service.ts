import { limits } from '@tidings/contracts/limits'
import type { MemberSession } from '@tidings/contracts/membership/auth'
import { removeFeed } from '#features/feeds/index.ts'
import {
  findMember,
  type MemberRow,
  memberCacheKey,
  removeExpiredPushDevices,
  toWireMember,
} from '#features/members/index.ts'
import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { AuthDeps } from '../auth.deps.ts'
import type { Caller, KnownSources } from '../caller.ts'
import { type AuthenticationDeps, createAuthentication, sessionCacheKey } from './authentication.ts'
import {
  findActiveSession,
  insertSession,
  listActiveSessions,
  removeSessions,
  type SessionRow,
} from './sessions.repository.ts'

/** A new session's access token and the time of its login. */
type BegunSession = { tokens: MemberSession['tokens']; begunAt: Date }

type Deps = AuthenticationDeps &
  Pick<AuthDeps, 'invalidation' | 'ids' | 'siteUrl'> & { sources: KnownSources }

export type SessionService = ReturnType<typeof createSessionService>

const hourMs = 3_600_000

/** Creates the service of sessions: in Postgres, cached until they are invalidated. */
export function createSessionService(deps: Deps) {
  const { database, tokens, sources, invalidation, clock, ids, siteUrl } = deps

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
    ...createAuthentication(deps),

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
      if (!(await insertSession(db, { ...session, password, sources: [network, browser] }))) return null
      invalidation.invalidateLater(db, { at: [memberCacheKey(memberId)] })
      const accessToken = await tokens.sign({ memberId, sessionId: id, appId: app.id, expiresMs })
      return { tokens: { accessToken, expires: expiresMs, type: 'bearer' }, begunAt: createdAt }
    },
    /** Returns what login and sign-up reply; the row may be older than the session. */
    toReply(app: MembershipApp, row: MemberRow, { tokens, begunAt }: BegunSession): MemberSession {
      const member = toWireMember({ ...row, lastLoginAt: begunAt }, app, siteUrl)
      return { tokens, member, redirect: app.loginRedirect }
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

/** Begins a session of a member and returns its reply; null if the member is gone. */
export async function logIn(
  tx: Db,
  { sessions }: { sessions: SessionService },
  app: MembershipApp,
  { memberId, caller }: { memberId: string; caller: Caller },
): Promise<MemberSession | null> {
  const session = await sessions.begin(tx, app, memberId, { caller })
  const row = await findMember(tx, memberId)
  return session === null || row === null ? null : sessions.toReply(app, row, session)
}
