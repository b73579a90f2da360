import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { errorReplyOf, toAppError } from '../../../http/error-handler.ts'
import type { LiveSession } from '../../../http/member-session.ts'
import { AppNotFoundError, DomainNotPermittedError } from '../../../http/membership.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import { sendSmallPage } from '../../../http/small-page.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { MembershipApp, MembershipApps } from '../../../platform/membership-apps/membership-apps.ts'
import { callerOf } from '../caller.ts'
import type { SessionService } from '../sessions/sessions.service.ts'
import { ConnectFailedError, ConnectRequiresLoginError } from './identity.errors.ts'
import type { IdentityService } from './identity.service.ts'
import { type FlowMode, flowMinutes, type IdentityFlows, type ReturnedFlow } from './identity-flows.ts'
import { type PopupResult, popupPage } from './popup-page.ts'
import { type PopupQuery, popupQuery, readBelongings } from './popup-query.ts'

type Deps = {
  identity: IdentityService
  identityFlows: IdentityFlows
  membershipApps: MembershipApps
  sessions: SessionService
  rateLimits: RateLimits
  logger: Logger
  siteName: string
  secureCookies: boolean
}

const tags = ['Membership: social sign-in']
const lostFlow = 'This sign-in has ended, or it was begun in another browser. Please start again.'
const cookiePath = '/auth-provider'
const modes: readonly FlowMode[] = ['login', 'signup', 'connect']
// How it is kept with a flow that its opener named no host.
const noHostname = ''
const tokenHeader = (token: string) => `Bearer ${token}`

/**
 * The popups of social sign-in: begun by a page of an allowed origin, ended by a page that tells it. They are places
 * a browser goes to, so they carry no headers of a client, and every end of theirs is a page.
 */
export function registerIdentityPopups(app: App, deps: Deps): void {
  const { identityFlows, membershipApps, rateLimits } = deps

  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error, []))

  // Apple answers by a form. Read as text: a form means nothing elsewhere.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  for (const mode of modes) {
    app.get(
      membershipPaths.provider.replace(':mode', mode),
      {
        config: { access: 'public' },
        schema: {
          tags,
          summary: `Opens a popup to ${mode} with an identity provider`,
          querystring: popupQuery,
        },
      },
      async (request, reply) => {
        const { query } = request
        const membershipApp = await findApp(query)
        const origins = originsOf(membershipApp, query.origin ?? null)
        if (origins.length === 0) throw new DomainNotPermittedError()
        try {
          await rateLimits.consume('logins', request.ip)
          return await begin(request, reply, membershipApp, mode)
        } catch (error) {
          return sendFailure(reply, error, origins)
        }
      },
    )
  }

  app.route({
    method: ['GET', 'POST'],
    url: membershipPaths.providerCallback,
    config: { access: 'public' },
    schema: {
      tags,
      summary: 'Where identity providers send the browser back to',
      params: z.object({ provider: z.string() }),
      querystring: z.record(z.string(), z.unknown()),
    },
    handler: async (request, reply) => {
      // The library reads the query of an address of ours; its host is never taken from the request.
      const url = new URL(request.url, 'http://callback.invalid')
      const body = request.body instanceof URLSearchParams ? request.body : undefined
      const state = body?.get('state') ?? url.searchParams.get('state') ?? ''
      const cookies = app.parseCookie(request.headers.cookie ?? '')
      const flow = await identityFlows.take({
        provider: request.params.provider,
        state,
        browserSecretOf: (name) => cookies[name],
      })
      if (flow === null) throw new ConnectFailedError(lostFlow)
      reply.clearCookie(flow.cookie, { path: cookiePath })
      const origins = originsOf(flow.app, flow.hostname === noHostname ? null : flow.hostname)
      try {
        return sendEnd(reply, 200, await finish(request, flow, { url, body }), origins)
      } catch (error) {
        return sendFailure(reply, error, origins)
      }
    },
  })

  async function begin(
    request: FastifyRequest<{ Querystring: PopupQuery }>,
    reply: FastifyReply,
    membershipApp: MembershipApp,
    mode: FlowMode,
  ): Promise<FastifyReply> {
    const { query } = request
    const owner = mode === 'connect' ? await ownerOf(query, membershipApp) : null
    const { url, browserSecret, cookie, answersByPost } = await identityFlows.begin({
      app: membershipApp,
      provider: query.provider,
      mode,
      hostname: query.origin ?? noHostname,
      details: {
        ...(mode === 'connect' ? {} : readBelongings(query)),
        allowSignup: query.allowSignup === 'true',
        memberId: owner?.memberId ?? null,
        sessionId: owner?.id ?? null,
      },
    })
    // A form posted from the provider's page is cross-site, and brings no stricter cookie along.
    const crossSite = answersByPost && deps.secureCookies
    return reply
      .setCookie(cookie, browserSecret, {
        path: cookiePath,
        httpOnly: true,
        secure: deps.secureCookies,
        sameSite: crossSite ? 'none' : 'lax',
        maxAge: flowMinutes * 60,
      })
      .header('Referrer-Policy', 'no-referrer')
      .header('Cache-Control', 'no-store')
      .redirect(url.href, 302)
  }

  async function finish(
    request: FastifyRequest,
    flow: ReturnedFlow,
    callback: { url: URL; body: URLSearchParams | undefined },
  ): Promise<PopupResult> {
    const { mode, provider, details } = flow
    const identity = await flow.identify(callback)
    if (mode === 'connect') {
      const memberId = await stillLoggedIn(flow)
      const providers = await deps.identity.connect(flow.app, memberId, { provider, identity })
      return { data: { providers, message: 'The sign-in is connected to your account.' } }
    }
    const { customFields, plans } = details
    const newcomer = mode === 'signup' || details.allowSignup ? { customFields, plans } : null
    const caller = { ...callerOf(request), origin: flow.hostname }
    return { data: await deps.identity.arrive(flow.app, { provider, identity, newcomer }, caller) }
  }

  async function findApp({ publicKey, appId }: PopupQuery): Promise<MembershipApp> {
    // Clients send the text of an id that they do not have. The oldest send no key either: the site's own app is meant.
    const isNamed = appId !== undefined && appId !== '' && appId !== 'undefined'
    if (!publicKey && appId === 'undefined') return await membershipApps.siteApp()
    const { byKey, byId } = await membershipApps.directory()
    const found = publicKey ? byKey.get(publicKey) : byId.get(appId ?? '')
    if (found === undefined || (isNamed && appId !== found.id)) throw new AppNotFoundError()
    return found
  }

  async function ownerOf({ member }: PopupQuery, membershipApp: MembershipApp): Promise<LiveSession> {
    if (!member) throw new ConnectRequiresLoginError()
    const proof = await deps.sessions.prove(tokenHeader(member), membershipApp.id)
    if (typeof proof === 'string') throw new ConnectRequiresLoginError()
    return proof
  }

  /** The session that began to connect may have ended while its member was away. */
  async function stillLoggedIn({ details }: ReturnedFlow): Promise<string> {
    const { memberId, sessionId } = details
    if (memberId === null || sessionId === null || !(await deps.sessions.isLive(sessionId))) {
      throw new ConnectRequiresLoginError()
    }
    return memberId
  }

  function sendFailure(reply: FastifyReply, error: unknown, origins: readonly string[]): FastifyReply {
    const failure = toAppError(error)
    if (failure.code === 'unknown-error') deps.logger.error({ err: error }, 'a social sign-in failed')
    return sendEnd(reply.headers(failure.headers), failure.status, errorReplyOf(failure), origins)
  }

  function sendEnd(
    reply: FastifyReply,
    status: number,
    result: PopupResult,
    origins: readonly string[],
  ): FastifyReply {
    reply.header('Referrer-Policy', 'no-referrer')
    return sendSmallPage(reply, status, popupPage(deps.siteName, result, origins))
  }
}

/**
 * The app's origins on a host: clients name no scheme and no port. Those of all hosts when none was named; the browser
 * hands the message over to the page that opened the popup alone, and only when it is one of these.
 */
function originsOf(app: MembershipApp, hostname: string | null): string[] {
  return [...app.origins].filter((origin) => hostname === null || URL.parse(origin)?.hostname === hostname)
}
