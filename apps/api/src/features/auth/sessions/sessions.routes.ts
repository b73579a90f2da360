import { logoutReply } from '@tidings/contracts/membership/auth'
import { endedSessionReply, endedSessionsReply, sessionsReply } from '@tidings/contracts/membership/members'
import { membershipPaths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { memberRoute, publicRoute, withMessage } from '#http/route-options.ts'
import { fail } from '../auth.errors.ts'
import type { SessionService } from './sessions.service.ts'

type Deps = { sessions: SessionService }

/** Registers the routes that list and end a member's sessions. */
export function registerSessionRoutes(app: App, { sessions }: Deps): void {
  app.post(
    membershipPaths.logout,
    publicRoute('logging in', 'Ends the session; succeeds if it has ended before', { reply: logoutReply }),
    async (request) => {
      const auth = await sessions.authenticate(request)
      if (typeof auth !== 'string') await sessions.end(auth.memberId, auth.id)
      return withMessage({ redirect: appOf(request).logoutRedirect }, 'You’re logged out.')
    },
  )

  app.get(
    membershipPaths.sessions,
    memberRoute('members', 'Lists where the member is logged in, newest first', { reply: sessionsReply }),
    async (request) => {
      const own = sessionOf(request)
      const rows = await sessions.list(own.memberId)
      const data = rows.map(({ id, createdAt, lastUsedAt, expiresAt, userAgent }) => ({
        id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        userAgent,
        current: id === own.id,
      }))
      return { data }
    },
  )

  app.delete(
    membershipPaths.session,
    memberRoute('members', 'Ends one of the member’s own sessions', {
      params: z.object({ id: z.string() }),
      reply: endedSessionReply,
    }),
    async (request) => {
      const { success, data: id } = z.uuid().safeParse(request.params.id)
      if (!success || !(await sessions.end(sessionOf(request).memberId, id))) throw fail('session-not-found')
      return { data: { id } }
    },
  )

  app.delete(
    membershipPaths.sessions,
    memberRoute('members', 'Ends all of the member’s sessions but the one that asks', {
      reply: endedSessionsReply,
    }),
    async (request) => {
      const { memberId, id } = sessionOf(request)
      return { data: { ended: await sessions.endAllOthers(memberId, id) } }
    },
  )
}
