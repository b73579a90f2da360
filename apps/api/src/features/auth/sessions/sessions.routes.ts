import { logout } from '@tidings/contracts/membership/auth'
import { endOtherSessions, endSession, listSessions } from '@tidings/contracts/membership/members'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf, withMessage } from '#http/membership/membership.ts'
import { fail } from '../auth.errors.ts'
import type { SessionService } from './sessions.service.ts'

type Deps = { sessions: SessionService }

/** Registers the routes that list and end a member's sessions. */
export function registerSessionRoutes(app: App, { sessions }: Deps): void {
  register(app, logout, async (request) => {
    const auth = await sessions.authenticate(request)
    if (typeof auth !== 'string') await sessions.end(auth.memberId, auth.id)
    return withMessage({ redirect: appOf(request).logoutRedirect }, 'You’re logged out.')
  })

  register(app, listSessions, async (request) => {
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
  })

  register(app, endSession, async (request) => {
    const { success, data: id } = z.uuid().safeParse(request.params.id)
    if (!success || !(await sessions.end(sessionOf(request).memberId, id))) throw fail('session-not-found')
    return { data: { id } }
  })

  register(app, endOtherSessions, async (request) => {
    const { memberId, id } = sessionOf(request)
    return { data: { ended: await sessions.endAllOthers(memberId, id) } }
  })
}
