import {
  openConnectPopup,
  openLoginPopup,
  openProviderCallback,
  openSignupPopup,
  popupQuery,
  postProviderCallback,
} from '@tidings/contracts/membership/popups'
import type { FastifyReply } from 'fastify'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { errorReplyOf, toAppError } from '#http/errors/error-handler.ts'
import { type PageSite, sendSmallPage } from '#http/site/small-page.ts'
import type { Logger } from '#platform/logger.ts'
import { callerOf } from '../caller.ts'
import { type AuthorizationRedirect, flowMinutes } from './identity-flows.ts'
import { confirmConnectPage, continuePage, type PopupResult, resultPage } from './popup-pages.ts'
import type { PopupService } from './popups.service.ts'

type Deps = { popups: PopupService; logger: Logger; site: PageSite; secureCookies: boolean }
type Origins = readonly string[]

const cookiePath = '/auth-provider'
const modes = [
  { mode: 'login', popup: openLoginPopup },
  { mode: 'signup', popup: openSignupPopup },
] as const

/** Registers the sign-in popups. Browsers navigate to them: no client headers, and every response is a page. */
export function registerIdentityPopups(app: App, { popups, logger, site, secureCookies }: Deps): void {
  app.setErrorHandler((error, _request, reply) => sendFailure(reply, error, []))

  // Apple posts its callback as a form. Parsed as text, so that forms mean nothing to other routes.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  for (const { mode, popup } of modes) {
    register(app, popup, async ({ query, ip }, reply) => {
      const opener = await popups.findOpener(query)
      return await orFailure(reply, opener.origins, async () => {
        const redirect = await popups.begin(opener, mode, query, ip)
        return storeFlow(reply, redirect, secureCookies).redirect(redirect.url.href, 302)
      })
    })
  }

  const connectPath = openConnectPopup.path

  // A link alone connects nothing: with another member's token in it, the visitor's sign-in would open that member's
  // account. The page names the account, and its button posts.
  register(app, openConnectPopup, async ({ query }, reply) => {
    const opener = await popups.findOpener(query)
    return await orFailure(reply, opener.origins, async () => {
      const connection = await popups.findConnection(opener, query)
      // With `no-referrer`, the browser would send the form without its origin.
      reply.header('Referrer-Policy', 'strict-origin')
      return sendSmallPage(reply, 200, confirmConnectPage(site, connection, { connectPath, query }))
    })
  })

  app.post(
    connectPath,
    { config: { access: 'public' }, schema: { hide: true } },
    async ({ body, headers, ip }, reply) => {
      popups.requireOwnForm(headers.origin)
      const query = popupQuery.parse(Object.fromEntries(body instanceof URLSearchParams ? body : []))
      const opener = await popups.findOpener(query)
      return await orFailure(reply, opener.origins, async () => {
        const redirect = await popups.begin(opener, 'connect', query, ip)
        return sendSmallPage(storeFlow(reply, redirect, secureCookies), 200, continuePage(site, redirect.url))
      })
    },
  )

  for (const callback of [openProviderCallback, postProviderCallback]) {
    register(app, callback, async (request, reply) => {
      // Only the query is read; the host never comes from the request.
      const url = new URL(request.url, 'http://callback.invalid')
      const body = request.body instanceof URLSearchParams ? request.body : undefined
      const cookies = app.parseCookie(request.headers.cookie ?? '')
      const { flow, origins } = await popups.claim({
        provider: request.params.provider,
        state: body?.get('state') ?? url.searchParams.get('state') ?? '',
        browserSecretOf: (name) => cookies[name],
      })
      reply.clearCookie(flow.cookie, { path: cookiePath })
      return await orFailure(reply, origins, async () => {
        const data = await popups.finish(flow, { url, body }, callerOf(request))
        return sendResult(reply, 200, { data }, origins)
      })
    })
  }

  /** Runs `send`, or sends the page that posts its error to the opener. */
  async function orFailure(
    reply: FastifyReply,
    origins: Origins,
    send: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    return await send().catch((error: unknown) => sendFailure(reply, error, origins))
  }

  function sendFailure(reply: FastifyReply, error: unknown, origins: Origins): FastifyReply {
    const failure = toAppError(error)
    if (failure.code === 'unknown-error') logger.error({ err: error }, 'social sign-in failed')
    return sendResult(reply.headers(failure.headers), failure.status, errorReplyOf(failure), origins)
  }

  function sendResult(
    reply: FastifyReply,
    status: number,
    result: PopupResult,
    origins: Origins,
  ): FastifyReply {
    reply.header('Referrer-Policy', 'no-referrer')
    return sendSmallPage(reply, status, resultPage(site, result, origins))
  }
}

/** Binds a flow to the browser that continues to the provider. */
function storeFlow(
  reply: FastifyReply,
  { cookie, browserSecret, usesFormPost }: AuthorizationRedirect,
  secure: boolean,
): FastifyReply {
  return reply
    .setCookie(cookie, browserSecret, {
      path: cookiePath,
      httpOnly: true,
      secure,
      // A form posted from the provider's page is cross-site, and carries no stricter cookie.
      sameSite: usesFormPost && secure ? 'none' : 'lax',
      maxAge: flowMinutes * 60,
    })
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'no-store')
}
