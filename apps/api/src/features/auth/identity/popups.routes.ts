import { membershipPaths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { errorReplyOf, toAppError } from '#http/error-handler.ts'
import { sendSmallPage } from '#http/pages/small-page.ts'
import type { Logger } from '#platform/logger.ts'
import { callerOf } from '../caller.ts'
import { confirmConnectPage, continuePage } from './connect-pages.ts'
import { type Departure, flowMinutes } from './identity-flows.ts'
import { type PopupResult, popupPage } from './popup-page.ts'
import { popupQuery } from './popup-query.ts'
import type { PopupService } from './popups.service.ts'

type Deps = { popups: PopupService; logger: Logger; siteName: string; secureCookies: boolean }

const tags = ['Membership: social sign-in']
const cookiePath = '/auth-provider'

/**
 * The popups of social sign-in: begun by a page of an allowed origin, ended by a page that tells it. They are places
 * a browser goes to, so they carry no headers of a client, and every end of theirs is a page.
 */
export function registerIdentityPopups(app: App, deps: Deps): void {
  const { popups } = deps

  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error, []))

  // Apple answers by a form. Read as text: a form means nothing elsewhere.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  for (const mode of ['login', 'signup'] as const) {
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
      async ({ query, ip }, reply) => {
        const opener = await popups.findOpener(query)
        try {
          const departure = await popups.begin(opener, mode, query, ip)
          return keepFlow(reply, departure).redirect(departure.url.href, 302)
        } catch (error) {
          return sendFailure(reply, error, opener.origins)
        }
      },
    )
  }

  const connectPath = membershipPaths.provider.replace(':mode', 'connect')

  // A link alone connects nothing: it could carry the token of another member, and the visitor's sign-in would then open
  // that member's account. The page names the account, and its button posts.
  app.get(
    connectPath,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Opens a popup to connect an identity provider; its page asks first',
        querystring: popupQuery,
      },
    },
    async ({ query }, reply) => {
      const opener = await popups.findOpener(query)
      try {
        const connection = await popups.findConnection(opener, query)
        // With `no-referrer` the form would be sent without its origin.
        reply.header('Referrer-Policy', 'strict-origin')
        return sendSmallPage(
          reply,
          200,
          confirmConnectPage(deps.siteName, connection, { connectPath, query }),
        )
      } catch (error) {
        return sendFailure(reply, error, opener.origins)
      }
    },
  )

  app.post(
    connectPath,
    { config: { access: 'public' }, schema: { hide: true } },
    async ({ body, headers, ip }, reply) => {
      popups.requireOwnForm(headers.origin)
      const query = popupQuery.parse(Object.fromEntries(body instanceof URLSearchParams ? body : []))
      const opener = await popups.findOpener(query)
      try {
        const departure = await popups.begin(opener, 'connect', query, ip)
        return sendSmallPage(keepFlow(reply, departure), 200, continuePage(deps.siteName, departure.url))
      } catch (error) {
        return sendFailure(reply, error, opener.origins)
      }
    },
  )

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
      const cookies = app.parseCookie(request.headers.cookie ?? '')
      const { flow, origins } = await popups.take({
        provider: request.params.provider,
        state: body?.get('state') ?? url.searchParams.get('state') ?? '',
        browserSecretOf: (name) => cookies[name],
      })
      reply.clearCookie(flow.cookie, { path: cookiePath })
      try {
        return sendEnd(
          reply,
          200,
          { data: await popups.finish(flow, { url, body }, callerOf(request)) },
          origins,
        )
      } catch (error) {
        return sendFailure(reply, error, origins)
      }
    },
  })

  /** Binds a flow to the browser that leaves for the provider. */
  function keepFlow(reply: FastifyReply, departure: Departure): FastifyReply {
    const { cookie, browserSecret, answersByPost } = departure
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
