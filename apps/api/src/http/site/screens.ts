import { screenPaths } from '@tidings/contracts/paths'
import type { FastifyReply, FastifyRequest } from 'fastify'

const patterns = screenPaths
  .filter((screen) => screen !== '/')
  .map((screen) => new RegExp(`^${screen.replaceAll(/:[A-Za-z]+/g, '[^/]+')}/?$`))

/** Returns whether a path is one of the site's screens, whose URLs follow the hash. */
export function isScreenPath(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path))
}

/** Returns whether a browser requests a page. */
export function wantsHtml(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  return request.headers.accept?.toLowerCase().includes('text/html') === true
}

/** Redirects a screen's URL without a hash to the one with it, and keeps the query. */
export function redirectToScreen(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').header('Vary', 'Accept').redirect(`/#${url}`, 302)
}
