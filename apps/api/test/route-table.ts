import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, HTTPMethods } from 'fastify'

export type Route = { method: HTTPMethods; url: string; access: unknown }

const serverCreated = 'fastify.initialization'

/** Runs `start`; returns its result and every route of its server. */
export async function withRoutes<T>(start: () => Promise<T>): Promise<{ made: T; routes: Route[] }> {
  const routes: Route[] = []
  const made = await withNewServers(
    (server) =>
      server.addHook('onRoute', ({ method, url, config }) => {
        for (const name of [method].flat()) routes.push({ method: name, url, access: config?.access })
      }),
    start,
  )
  return { made, routes }
}

/** Runs `start` and calls `each` with every server that it creates, before its routes are registered. */
export async function withNewServers<T>(
  each: (server: FastifyInstance) => void,
  start: () => Promise<T>,
): Promise<T> {
  function listener(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('fastify' in message)) return
    if (isServer(message.fastify)) each(message.fastify)
  }
  subscribe(serverCreated, listener)
  try {
    return await start()
  } finally {
    unsubscribe(serverCreated, listener)
  }
}

function isServer(value: unknown): value is FastifyInstance {
  return typeof value === 'object' && value !== null && 'addHook' in value
}

/** Returns a URL that matches a route's pattern. */
export function addressOf({ url }: Route): string {
  return url
    .replace(':date', '11-20-26')
    .replace(/:(?:key|timestamp)/, '11-20-26-10AM')
    .replace(/:\w+/g, '0199a1f4-1111-7abc-8def-0123456789ab')
    .replace('*', 'nothing')
}

/** Returns whether a route needs an app's key: the membership protocol, except popups, pages and the captcha. */
export function needsApp({ method, url }: Route): boolean {
  if (url === '/auth/verify-email' && method !== 'POST') return false
  const apart = ['/auth/captcha/challenge', '/auth/verify-email/confirm']
  return (
    /^\/(app|app-member|auth|member|member-auth|secure-content|comments|page-view|event)(\/|$)/.test(url) &&
    !apart.includes(url)
  )
}

/** Returns a route's name; the reference's pages and the static files are one route each. */
export function nameOf({ method, url }: Route): string {
  return `${method} ${url.replace(/^\/(docs|static)\b.*/, '/$1/*')}`
}
