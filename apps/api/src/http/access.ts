import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

/**
 * Who may call a route: anybody; who has passed the gate; a logged-in member; an editor with a key; a
 * sender whose signature the route itself checks. Several values must all hold, in this order.
 */
export type Access = 'public' | 'gate' | 'member' | 'editor' | 'signed'

/** Refuses by throwing, now or later. */
export type AccessCheck = (request: FastifyRequest) => void | Promise<void>

export type AccessChecks = Readonly<Record<Exclude<Access, 'public' | 'signed'>, AccessCheck>>

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyContextConfig {
    access?: Access | readonly Access[]
  }
}

/** Puts the checks before every route, and refuses to boot with a route that does not say who may call it. */
export function registerAccess(app: FastifyInstance, checks: AccessChecks): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const silent = routes.filter((route) => route.config?.access === undefined)
    if (silent.length > 0) {
      const names = silent.map((route) => `${String(route.method)} ${route.url}`).join(', ')
      throw new Error(`These routes do not state who may call them: ${names}`)
    }
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access
    if (access === undefined || access === 'public' || access === 'signed') return done()
    if (typeof access === 'string') return run(checks[access], request, done)
    runAll(access, checks, request).then(() => done(), done)
  })
}

/** Marks the routes that a plugin registers itself as open to anybody. Call before registering it. */
export function openToAnybody(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' }
  })
}

// A check that is done at once must not cost a turn of the event loop: the gate stands before every read.
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

/** Sends nothing and remembers nothing: for replies that belong to one caller. */
export function neverStored(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store')
}
