import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { AppDirectory, MembershipApps } from '../platform/membership-apps/membership-apps.ts'

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

/**
 * What belongs to the site alone, which no page of another origin reads; and files for the pages of everybody, which
 * say so themselves.
 */
const ownRules =
  /^\/+(?:gate|cms|edition|media|gated|socket|desk|healthz|readyz|metrics|openapi\.json|docs|static|webhooks|auth-provider|membership|profile-images)(?![a-z0-9_-])/i

/** Says in the reply's headers what the page that asks may read; answers preflights itself. */
export type Cors = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/**
 * Cross-origin rules of the membership protocol, on answers of every kind: successes, refusals and unknown addresses
 * (Fetch Standard, 3.2). Only the exact origin of an app's page is ever allowed, with credentials.
 */
export function createCors(apps: MembershipApps): Cors {
  // While the database is away, pages that were allowed before are still told so.
  let known: ReadonlySet<string> = new Set()

  return function cors(request, reply, done) {
    const { origin } = request.headers
    const directory = origin === undefined || hasOwnRules(request.url) ? null : apps.directory()
    if (origin === undefined || directory === null) return done()

    function answer({ origins }: AppDirectory): void {
      known = origins
      allow(origins, origin ?? '', request, reply, done)
    }
    if (!(directory instanceof Promise)) return answer(directory)
    directory.then(answer, (error) => allow(known, origin, request, reply, () => done(error)))
  }
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

/** Routes are found by the decoded path, so that `/%67ate` is the gate too. */
function hasOwnRules(url: string): boolean {
  if (!url.includes('%')) return ownRules.test(url)
  const [path = ''] = url.split('?')
  try {
    return ownRules.test(decodeURIComponent(path))
  } catch {
    return ownRules.test(path)
  }
}

class OriginNotPermittedError extends AppError {
  constructor() {
    super('domain-not-permitted', 403, 'Pages of this origin may not use this address.')
  }
}
