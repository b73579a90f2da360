import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors.ts'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import { neverStored } from '../access.ts'
import type { App } from '../app-type.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    /** The app whose key a membership call carries. */
    membershipApp: MembershipApp | null
  }
}

/** The app of a membership call. */
export function appOf(request: FastifyRequest): MembershipApp {
  if (request.membershipApp === null) throw new AppNotFoundError()
  return request.membershipApp
}

/** No app answers to the key and id that were sent. */
export class AppNotFoundError extends AppError {
  constructor() {
    super('app-not-found', 404, 'No app has this public key. Send it as X-API-Key, and its id as X-APP-ID.')
  }
}

/** The page's origin is not one of the app's. */
export class DomainNotPermittedError extends AppError {
  constructor() {
    super('domain-not-permitted', 403, 'Pages of this origin may not use this app.')
  }
}

/**
 * Finds the app of every call by its key, and refuses pages of foreign origins. Answers are kept nowhere, unless a
 * route says otherwise. To be registered before the access checks: who is logged in depends on the app.
 */
export function registerMembershipApp(scope: App, apps: MembershipApps): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const publicKey = textOf(request.headers['x-api-key'])
    neverStored(reply)
    // A call names its app by the key; an id alone is none.
    const found = publicKey ? apps.find({ publicKey, appId: textOf(request.headers['x-app-id']) }) : null
    if (found instanceof Promise) {
      found.then((app) => admit(app, request, reply)).then(() => done(), done)
      return
    }
    try {
      admit(found, request, reply)
      done()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function admit(app: MembershipApp | null, request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers
  // Even without an origin, the answer is one that a page of another origin could not be given.
  if (origin === undefined) reply.header('Vary', 'Origin')
  if (app === null) throw new AppNotFoundError()
  if (origin !== undefined && !app.origins.has(origin)) {
    // It may be another app's: told nothing at all here.
    for (const name of ['Allow-Origin', 'Allow-Credentials', 'Expose-Headers']) {
      reply.removeHeader(`Access-Control-${name}`)
    }
    throw new DomainNotPermittedError()
  }
  request.membershipApp = app
}
