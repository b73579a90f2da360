import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MembershipApp, MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { App } from '../app-type.ts'
import { neverStored } from '../endpoints/access.ts'
import { fail } from './membership.errors.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    membershipApp: MembershipApp | null
  }
}

export function appOf(request: FastifyRequest): MembershipApp {
  if (request.membershipApp === null) throw fail('app-not-found')
  return request.membershipApp
}

/** Finds the app of every call and rejects other origins. Register before the access checks, which need it. */
export function registerMembershipApp(scope: App, apps: MembershipApps): void {
  scope.addHook('onRoute', (route) => {
    const [proofs] = route.schema?.security ?? []
    route.schema = { ...route.schema, security: [{ ...proofs, appKey: [] }] }
  })
  scope.addHook('onRequest', (request, reply, done) => {
    const publicKey = textOf(request.headers['x-api-key'])
    neverStored(reply)
    // The key names the app; an id alone doesn't.
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
  // A cache must not give a response without CORS headers to a page of another origin.
  if (origin === undefined) reply.header('Vary', 'Origin')
  if (app === null) throw fail('app-not-found')
  if (origin !== undefined && !app.origins.has(origin)) {
    // The origin may be another app's: its pages must not read this response.
    for (const name of ['Allow-Origin', 'Allow-Credentials', 'Expose-Headers']) {
      reply.removeHeader(`Access-Control-${name}`)
    }
    throw fail('domain-not-permitted')
  }
  request.membershipApp = app
}

/** Returns a response body of the membership protocol with a message for the reader. */
export function withMessage<Data>(data: Data, message: string) {
  return { data, _internalUseOnly: { message } }
}
