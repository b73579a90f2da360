import type { FastifyInstance } from 'fastify'

/** Parses the form bodies of a scope to `URLSearchParams`, which are empty without a body. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 20_000 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )
  app.addHook('preValidation', async (request) => {
    request.body ??= new URLSearchParams()
  })
}
