import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFail } from '#platform/errors.ts'
import type { AppDirectory, MembershipApps } from '#platform/membership-apps/membership-apps.ts'

const allowedMethods = 'GET, POST, PATCH, DELETE, PUT'
const allowedHeaders =
  'authorization, content-type, X-API-Key, X-APP-ID, X-API-Version, X-User-Agent, X-Session-ID, referring-path'
const exposedHeaders = 'Retry-After'
// The longest that browsers accept.
const preflightSeconds = '7200'

/** Paths without these rules: the site's own, and public files, which have their own header. */
const ownRules =
  /^\/+(?:gate|cms|edition|media|gated|socket|desk|healthz|readyz|metrics|openapi\.json|docs|static|fonts|webhooks|auth-provider|membership|profile-images|feeds|l)(?![a-z0-9_-])/i

type Done = (error?: Error) => void

const fail = createFail({
  'domain-not-permitted': () => [403, 'Pages of this origin may not use this address.'],
})

/** Returns the CORS hook (Fetch Standard, 3.2): only exact origins of the apps, errors included. */
export function createCors(apps: MembershipApps) {
  // The origins that were allowed last apply while the database is unavailable.
  let known: ReadonlySet<string> = new Set()

  return function cors(request: FastifyRequest, reply: FastifyReply, done: Done) {
    const { origin } = request.headers
    const directory = origin === undefined || hasOwnRules(request.url) ? null : apps.directory()
    if (origin === undefined || directory === null) return done()

    function apply({ origins }: AppDirectory): void {
      known = origins
      allow(origins, origin ?? '', request, reply, done)
    }
    if (!(directory instanceof Promise)) return apply(directory)
    directory.then(apply, (error) => allow(known, origin, request, reply, () => done(error)))
  }
}

function allow(
  origins: ReadonlySet<string>,
  origin: string,
  request: FastifyRequest,
  reply: FastifyReply,
  done: Done,
): void {
  const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
  reply.header('Vary', 'Origin')
  if (!origins.has(origin)) {
    done(isPreflight ? fail('domain-not-permitted') : undefined)
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

/** Tests the decoded path, because the router does too: `/%67ate` is the gate. */
function hasOwnRules(url: string): boolean {
  if (!url.includes('%')) return ownRules.test(url)
  const [path = ''] = url.split('?')
  try {
    return ownRules.test(decodeURIComponent(path))
  } catch {
    return ownRules.test(path)
  }
}
