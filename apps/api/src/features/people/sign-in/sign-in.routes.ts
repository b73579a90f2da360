import { requestSignInLink, requestSignInOptions, signIn } from '@tidings/contracts/desk/people/sign-in'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { register } from '#http/endpoints/register.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { sendSmallPage } from '#http/site/small-page.ts'
import { hasCode } from '#platform/errors.ts'
import type { DeskSite } from '../desk-site.ts'
import { requireOwnOrigin, requireOwnPage } from '../sessions/own-pages.ts'
import { deviceOf, setSessionCookie } from '../sessions/session-cookie.ts'
import type { YouService } from '../you/you.service.ts'
import type { SignInService } from './sign-in.service.ts'
import { endedLinkPage, signedInPage, signInPage } from './sign-in-page.ts'

type Deps = { deskSignIn: SignInService; you: YouService; rateLimits: RateLimits; deskSite: DeskSite }

const hidden = {
  config: { access: 'public' as const },
  schema: { hide: true, params: z.object({ token: z.string().max(200) }) },
}

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
}

/** Registers the page behind an emailed link, whose button posts a form. */
export function registerSignInPage(app: App, { deskSignIn, rateLimits, deskSite }: Omit<Deps, 'you'>): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, done) => done(null, null),
  )

  app.get('/desk/sign-in/:token', hidden, async (request, reply) => {
    const isOpen = await deskSignIn.isOpen(request.params.token)
    // The page's own URL carries the token, so no other page may see it.
    reply.header('Referrer-Policy', 'same-origin')
    return sendSmallPage(reply, isOpen ? 200 : 410, isOpen ? signInPage(deskSite) : endedLinkPage(deskSite))
  })
  app.post('/desk/sign-in/:token', hidden, async (request, reply) => {
    requireOwnOrigin(request.headers.origin, { origins: deskSite.origins, isOptional: false })
    await rateLimits.consume('deskSignIns', request.ip)
    try {
      const { secret } = await deskSignIn.withLink(request.params.token, deviceOf(request))
      setSessionCookie(reply, secret, deskSite)
      return sendSmallPage(reply, 200, signedInPage(deskSite))
    } catch (error) {
      if (!hasCode(error, 'sign-in-link-ended')) throw error
      return sendSmallPage(reply, 410, endedLinkPage(deskSite))
    }
  })
}
