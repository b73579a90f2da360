import { limits } from '@tidings/contracts/limits'
import type { FastifyRequest } from 'fastify'
import { announceEndedAccess, type Editor, scopesOf } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import { sha256 } from '#platform/ids.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { rolesOf } from '../people.repository.ts'
import { requireOwnPage } from './own-pages.ts'
import { sessionSecretOf } from './session-cookie.ts'
import {
  createSession,
  findSession,
  listActiveSessions,
  removeOldSessions,
  removeSession,
  type SessionRow,
  updateSession,
} from './sessions.repository.ts'

type Deps = Pick<PeopleDeps, 'database' | 'clock' | 'ids' | 'deskSite'>

/** A new session: the secret of its cookie, its id, its person, and their proof. */
export type SignedIn = { secret: string; sessionId: string; personId: string; provedAt: Date | null }

export type DeskSessionService = ReturnType<typeof createDeskSessionService>

const hourMs = 3_600_000
const idleMs = limits.deskSession.idleHours * hourMs
const longestMs = limits.deskSession.days * 24 * hourMs
// A row that is written at most once a minute.
const useMs = 60_000

/** Signs people in at the desk. Sessions are read at each request, so an ended one is over at every process. */
export function createDeskSessionService({ database, clock, ids, deskSite }: Deps) {
  function activeSince() {
    const now = clock.now().getTime()
    return { usedAfter: new Date(now - idleMs), createdAfter: new Date(now - longestMs) }
  }

  async function findActive(cookie: string | undefined) {
    const secret = sessionSecretOf(cookie)
    const session = secret === null ? null : await findSession(database.db, sha256(secret))
    if (session === null || session.person.removedAt !== null) return null
    const { usedAfter, createdAfter } = activeSince()
    return session.lastUsedAt > usedAfter && session.createdAt > createdAfter ? session : null
  }

  return {
    /** Returns whether a Cookie header has an active session. Doesn't count as its use. */
    async isActive(cookie: string | undefined): Promise<boolean> {
      return (await findActive(cookie)) !== null
    },

    /** Starts a session in the caller's transaction. Returns its secret, of which only the hash is stored. */
    async start(
      tx: Db,
      { personId, device, isProved }: { personId: string; device: string; isProved: boolean },
    ): Promise<SignedIn> {
      const secret = ids.secret()
      const now = clock.now()
      const session = await createSession(tx, {
        personId,
        secretHash: sha256(secret),
        device: device.slice(0, 200),
        createdAt: now,
        lastUsedAt: now,
        provedAt: isProved ? now : null,
      })
      return { secret, sessionId: session.id, personId, provedAt: session.provedAt }
    },

    /** Returns the person whose session a request carries. Throws `session-ended`, and refuses foreign pages. */
    async authenticate(request: Pick<FastifyRequest, 'method' | 'headers'>): Promise<Editor> {
      requireOwnPage(request, deskSite)
      const session = await findActive(request.headers.cookie)
      if (session === null) throw fail('session-ended')
      const now = clock.now()
      if (now.getTime() - session.lastUsedAt.getTime() >= useMs) {
        await updateSession(database.db, session.id, { lastUsedAt: now })
      }
      const roles = new Set(rolesOf(session.person))
      return {
        kind: 'person',
        id: session.person.id,
        name: session.person.name,
        scopes: scopesOf(roles),
        roles,
        session: { id: session.id, provedAt: session.provedAt },
      }
    },

    async list(personId: string): Promise<SessionRow[]> {
      return await listActiveSessions(database.db, personId, activeSince())
    },

    /** Throws `session-not-found`. */
    async end(personId: string, id: string): Promise<void> {
      await database.transaction(async (tx) => {
        if (!(await removeSession(tx, personId, id))) throw fail('session-not-found')
        await announceEndedAccess(tx)
      })
    },

    /** Records that the person of a session proved that it is them. */
    async prove(tx: Db, id: string): Promise<Date> {
      const provedAt = clock.now()
      await updateSession(tx, id, { provedAt })
      return provedAt
    },

    async removeExpired(): Promise<void> {
      await removeOldSessions(database.db, activeSince())
    },
  }
}
