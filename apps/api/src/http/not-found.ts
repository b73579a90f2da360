import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { App } from './app-type.ts'
import { type GatePass, gateRequired } from './gate-pass.ts'
import { isScreenPath, redirectToScreen, wantsHtml } from './screens.ts'
import { escapeHtml } from './site-config.ts'

/** What stands behind the gate, whether or not there is a route for it. */
const guarded = /^\/+(?:edition|media|gated|socket|cms)(?:$|[/?#;])/

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
      return reply
        .code(404)
        .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" })
        .type('text/html; charset=utf-8')
        .send(page)
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

function notFoundPage(siteName: string): string {
  const name = escapeHtml(siteName)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Not found · ${name}</title>
<h1>There is nothing here</h1>
<p><a href="/">Go to ${name}</a></p>
</html>
`
}
