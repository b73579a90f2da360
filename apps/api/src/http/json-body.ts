import type { App } from './app-type.ts'

/**
 * Takes an empty body for no body at all, whatever its content type says: many clients name one on every
 * POST. A route that needs a body refuses it by its schema.
 */
export function registerJsonBody(app: App): void {
  // Pages of other sites may send plain text without asking; nothing here takes it.
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void parse(request, String(body), done)
  })
}
