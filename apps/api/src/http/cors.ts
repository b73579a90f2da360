import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { MembershipApps } from '../platform/membership-apps/membership-apps.ts'
import type { App } from './app-type.ts'

const allowedMethods = 'GET, POST, PATCH, DELETE, PUT'
const allowedHeaders = [
  'authorization',
  'content-type',
  'X-API-Key',
  'X-APP-ID',
  'X-User-Agent',
  'X-Session-ID',
  'referring-path',
].join(', ')
const exposedHeaders = 'Retry-After'
// As long as browsers remember it at most.
const preflightSeconds = '7200'

/** What belongs to the site alone: no page of another origin reads it. */
const siteOnly =
  /^\/+(?:gate|cms|edition|media|gated|socket|desk|healthz|readyz|metrics|openapi\.json|docs|static|webhooks|auth-provider)(?![a-z0-9_-])/i

/**
 * Cross-origin rules of the membership protocol, on answers of every kind: successes, refusals and unknown addresses
 * (Fetch Standard, 3.2). Only the exact origin of an app's page is ever allowed, with credentials.
 */
export function registerCors(app: App, apps: MembershipApps): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    const directory = origin === undefined || siteOnly.test(request.url) ? null : apps.directory()
    if (origin === undefined || directory === null) done()
    else if (!(directory instanceof Promise)) allow(directory.origins, origin, request, reply, done)
    else directory.then(({ origins }) => allow(origins, origin, request, reply, done), done)
  })
}

function allow(
  origins: ReadonlySet<string>,
  origin: string,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
  reply.header('Vary', 'Origin')
  if (!origins.has(origin)) {
    done(isPreflight ? new OriginNotPermittedError() : undefined)
    return
  }
  reply.header('Access-Control-Allow-Origin', origin).header('Access-Control-Allow-Credentials', 'true')
  if (isPreflight) {
    void reply
      .headers({
        'Access-Control-Allow-Methods': allowedMethods,
        'Access-Control-Allow-Headers': allowedHeaders,
        'Access-Control-Max-Age': preflightSeconds,
        'Cache-Control': 'no-store',
      })
      .code(204)
      .send()
  } else {
    reply.header('Access-Control-Expose-Headers', exposedHeaders)
    done()
  }
}

class OriginNotPermittedError extends AppError {
  constructor() {
    super('domain-not-permitted', 403, 'Pages of this origin may not use this address.')
  }
}
