import type { App } from '../app-type.ts'

/** Treats an empty body as none, whatever its content type: many clients set one on every POST. */
export function registerJsonBody(app: App): void {
  // Pages of other sites may send plain text without a preflight.
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, String(body), done)
  })
}
