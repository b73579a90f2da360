import {
  openSignInLink,
  requestSignInLink,
  requestSignInOptions,
  signIn,
  signInWithLink,
} from '@tidings/contracts/desk/people/sign-in'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { register } from '#http/endpoints/register.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { DeskSite } from '../desk-site.ts'
import { requireOwnPage } from '../sessions/own-pages.ts'
import { deviceOf, setSessionCookie } from '../sessions/session-cookie.ts'
import type { YouService } from '../you/you.service.ts'
import type { SignInService } from './sign-in.service.ts'

type Deps = { deskSignIn: SignInService; you: YouService; rateLimits: RateLimits; deskSite: DeskSite }

/** Registers the ways to sign in. */
export function registerSignIn(app: App, { deskSignIn, you, rateLimits, deskSite }: Deps): void {
  async function guard(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    neverStored(reply)
    requireOwnPage(request, deskSite)
    await rateLimits.consume('deskSignIns', request.ip)
  }

  register(app, requestSignInOptions, async (request, reply) => {
    await guard(request, reply)
    return { data: await deskSignIn.requestOptions() }
  })
  register(app, signIn, async (request, reply) => {
    await guard(request, reply)
    const signedIn = await deskSignIn.withPasskey(request.body.response, deviceOf(request))
    setSessionCookie(reply, signedIn.secret, deskSite)
    return { data: await you.ofNewSession(signedIn) }
  })
  register(app, requestSignInLink, async (request, reply) => {
    await guard(request, reply)
    await deskSignIn.requestLink(request.body.email)
    return reply.code(202).send({ data: { message: 'If this address works here, a link is on its way.' } })
  })
  register(app, openSignInLink, async (request, reply) => {
    await guard(request, reply)
    return { data: await deskSignIn.look(request.params.token) }
  })
  register(app, signInWithLink, async (request, reply) => {
    await guard(request, reply)
    const signedIn = await deskSignIn.withLink(request.params.token, deviceOf(request))
    setSessionCookie(reply, signedIn.secret, deskSite)
    return { data: await you.ofNewSession(signedIn) }
  })
}
