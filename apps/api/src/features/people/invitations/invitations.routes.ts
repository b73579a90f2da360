import {
  acceptInvitation,
  invite,
  listInvitations,
  openInvitationLink,
  requestInvitationOptions,
  withdrawInvitation,
} from '@tidings/contracts/desk/people/invitations'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { registerDesk } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { register } from '#http/endpoints/register.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { DeskSite } from '../desk-site.ts'
import { requireOwnPage } from '../sessions/own-pages.ts'
import { deviceOf, setSessionCookie } from '../sessions/session-cookie.ts'
import type { YouService } from '../you/you.service.ts'
import type { AcceptanceService } from './acceptance.service.ts'
import type { InvitationService } from './invitations.service.ts'

type Deps = {
  invitations: InvitationService
  acceptance: AcceptanceService
  you: YouService
  rateLimits: RateLimits
  deskSite: DeskSite
}

/** Registers the invitations of owners, and what the holder of a link does with one. */
export function registerInvitations(app: App, deps: Deps): void {
  const { invitations, acceptance, you, rateLimits, deskSite } = deps

  async function guard(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    neverStored(reply)
    requireOwnPage(request, deskSite)
    await rateLimits.consume('deskSignIns', request.ip)
  }

  registerDesk(app, listInvitations, () => invitations.list())
  registerDesk(app, invite, ({ requester, body }) => invitations.invite(requester, body))
  registerDesk(app, withdrawInvitation, ({ requester, params }) => invitations.withdraw(requester, params.id))

  register(app, openInvitationLink, async (request, reply) => {
    await guard(request, reply)
    return { data: await acceptance.look(request.params.token) }
  })
  register(app, requestInvitationOptions, async (request, reply) => {
    await guard(request, reply)
    return { data: await acceptance.requestOptions(request.params.token, request.body.name) }
  })
  register(app, acceptInvitation, async (request, reply) => {
    await guard(request, reply)
    const { body, params } = request
    const signedIn = await acceptance.accept(params.token, { ...body, device: deviceOf(request) })
    setSessionCookie(reply, signedIn.secret, deskSite)
    return reply.code(201).send({ data: await you.ofNewSession(signedIn) })
  })
}
