import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFail } from '#platform/errors.ts'
import type { App } from '../app-type.ts'
import { fail as failGate, type GatePass } from '../sessions/gate-pass.ts'
import { isScreenPath, redirectToScreen, wantsHtml } from './screens.ts'
import { notFoundPage, type PageSite, sendSmallPage } from './small-page.ts'

const fail = createFail({ 'not-found': () => [404, 'There is nothing at this address.'] })

/** Paths behind the gate, whether or not they have a route. */
const guarded = /^\/+(?:edition|media|gated|socket|cms)(?![a-z0-9_-])/

/** Redirects the paths of screens to the hash router. Unknown paths get a page in browsers, otherwise a JSON error. */
export function registerUnknownPaths(app: App, options: { gatePass: GatePass; site: PageSite }): void {
  const page = notFoundPage(options.site)

  app.addHook('onRequest', (request, reply, done) => {
    if (wantsHtml(request)) {
      const path = pathOf(request.url)
      if (isScreenPath(path)) return void redirectToScreen(reply, request.url)
    }
    done()
  })

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (wantsHtml(request)) {
      return sendSmallPage(reply, 404, page)
    }
    if (guarded.test(pathOf(request.url)) && !options.gatePass.isPassed(request.headers.cookie)) {
      throw failGate('gate-required')
    }
    throw fail('not-found')
  })
}

/** Returns the decoded path in lower case, without the query. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURIComponent(path).toLowerCase()
  } catch {
    return path.toLowerCase()
  }
}
