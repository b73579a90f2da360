import type { Access } from '@tidings/contracts/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/** Throws, or rejects, when the requester has no access. */
export type AccessCheck = (request: FastifyRequest) => void | Promise<void>

export type AccessChecks = Readonly<Record<Exclude<Access, 'public' | 'signed'>, AccessCheck>>

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyContextConfig {
    access?: Access | readonly Access[]
  }
}

/** Checks access before every route; the app does not start with a route that declares none. */
export function registerAccess(app: FastifyInstance, checks: AccessChecks): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const undeclared = routes.filter((route) => route.config?.access === undefined)
    if (undeclared.length > 0) {
      const names = undeclared.map((route) => `${String(route.method)} ${route.url}`).join(', ')
      throw new Error(`These routes declare no access: ${names}`)
    }
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access
    if (access === undefined || access === 'public' || access === 'signed') return done()
    if (typeof access === 'string') return run(checks[access], request, done)
    runAll(access, checks, request).then(() => done(), done)
  })
}

/** Declares the routes of a plugin as public. Call before registering the plugin. */
export function declarePublic(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' }
  })
}

// Runs synchronous checks without a promise: every read passes the gate.
function run(check: AccessCheck, request: FastifyRequest, done: (error?: Error) => void): void {
  try {
    const pending = check(request)
    if (pending === undefined) done()
    else pending.then(() => done(), done)
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

async function runAll(
  access: readonly Access[],
  checks: AccessChecks,
  request: FastifyRequest,
): Promise<void> {
  for (const level of access) {
    if (level !== 'public' && level !== 'signed') await checks[level](request)
  }
}

/** Forbids caching, for responses to one requester. */
export function neverStored(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store')
}
