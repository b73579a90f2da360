import type { FastifyRequest } from 'fastify'
import type { Ids } from '#platform/ids.ts'
import type { App } from '../app-type.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    /** The browser's random name, from a cookie; empty outside of {@link registerBrowserCookie}. */
    browserId: string
  }
}

const browserCookie = 'tidings_browser'
const yearSeconds = 365 * 24 * 3600

/** Returns the browser's random name. */
export function browserIdOf({ browserId }: FastifyRequest): string {
  return browserId
}

/** Gives each browser a random name for rate limits. It authenticates nothing; over HTTPS it is partitioned by site. */
export function registerBrowserCookie(scope: App, deps: { ids: Ids; secureCookies: boolean }): void {
  const { ids, secureCookies } = deps
  const options = {
    path: '/',
    httpOnly: true,
    secure: secureCookies,
    sameSite: secureCookies ? 'none' : 'lax',
    partitioned: secureCookies,
    maxAge: yearSeconds,
  } as const
  scope.addHook('preHandler', (request, _reply, done) => {
    const given = scope.parseCookie(request.headers.cookie ?? '')[browserCookie] ?? ''
    request.browserId = /^[\w-]{43}$/.test(given) ? given : ids.secret()
    done()
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    // NOTE: the cookie plugin's own hook has already run.
    if (reply.statusCode < 300)
      reply.header('Set-Cookie', scope.serializeCookie(browserCookie, request.browserId, options))
    done(null, payload)
  })
}
