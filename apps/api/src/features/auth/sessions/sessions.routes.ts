import { logoutReply } from '@tidings/contracts/auth'
import { endedSessionReply, sessionsReply } from '@tidings/contracts/members'
import { membershipPaths } from '@tidings/contracts/paths'
import { z } from 'zod'
import { neverStored } from '#http/access.ts'
import type { App } from '#http/app-type.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { appOf } from '#http/membership/membership.ts'
import { AppError } from '#platform/errors.ts'
import { toWireSession } from './sessions.mapper.ts'
import type { SessionService } from './sessions.service.ts'

/** Where a member is logged in, and the end of it. */
export function registerSessionRoutes(app: App, { sessions }: { sessions: SessionService }): void {
  app.post(
    membershipPaths.logout,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Membership: logging in'],
        summary: 'Ends the session; succeeds when it is over already',
        response: { 200: logoutReply },
      },
    },
    async (request, reply) => {
      neverStored(reply)
      const proof = await sessions.authenticate(request)
      if (typeof proof !== 'string') await sessions.end(proof.memberId, proof.id)
      const redirect = appOf(request).logoutRedirect
      return { data: { redirect }, _internalUseOnly: { message: 'You have successfully logged out.' } }
    },
  )

  app.get(
    membershipPaths.sessions,
    {
      config: { access: 'member' },
      schema: {
        tags: ['Membership: members'],
        summary: 'Where the member is logged in, newest first',
        response: { 200: sessionsReply },
      },
    },
    async (request, reply) => {
      neverStored(reply)
      const own = sessionOf(request)
      const rows = await sessions.list(own.memberId)
      return { data: rows.map((row) => toWireSession(row, own.id)) }
    },
  )

  app.delete(
    membershipPaths.session,
    {
      config: { access: 'member' },
      schema: {
        tags: ['Membership: members'],
        summary: 'Ends one of the member’s own sessions',
        params: z.object({ id: z.string() }),
        response: { 200: endedSessionReply },
      },
    },
    async (request, reply) => {
      neverStored(reply)
      const { success, data: id } = z.uuid().safeParse(request.params.id)
      if (!success || !(await sessions.end(sessionOf(request).memberId, id))) {
        throw new AppError('session-not-found', 404, 'There is no such session, or it has ended already.')
      }
      return { data: { id } }
    },
  )
}
