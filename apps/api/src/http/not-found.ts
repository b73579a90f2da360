import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { App } from './app-type.ts'
import { type GatePass, gateRequired } from './gate-pass.ts'
import { notFoundPage } from './pages/not-found-page.ts'
import { isScreenPath, redirectToScreen, wantsHtml } from './pages/screens.ts'
import { sendSmallPage } from './pages/small-page.ts'

/** What stands behind the gate, whether or not there is a route for it. */
const guarded = /^\/+(?:edition|media|gated|socket|cms)(?![a-z0-9_-])/

/**
 * Leads screens' addresses behind the hash before anything else is asked, and answers every unknown one:
 * a small page for browsers, the JSON error for everybody else.
 */
export function registerUnknownPaths(app: App, options: { gatePass: GatePass; siteName: string }): void {
  const page = notFoundPage(options.siteName)

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
      throw gateRequired()
    }
    throw new AppError('not-found', 404, 'There is nothing at this address.')
  })
}

/** The path as a person means it: decoded, in small letters, without the query. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?')
  try {
    return decodeURIComponent(path).toLowerCase()
  } catch {
    return path.toLowerCase()
  }
}
