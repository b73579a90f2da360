import type { FastifyInstance } from 'fastify'

/** Lets the routes of this scope take forms: their bodies are `URLSearchParams`, empty when nothing was sent. */
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
