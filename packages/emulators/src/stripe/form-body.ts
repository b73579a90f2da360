import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readForms } from '../identity/forms.ts'
import { StripeFault } from './errors.ts'
import { sendStripePage, tellingPage } from './page.ts'

/** A form's or a JSON body's texts by name; what is no text is left out. */
export function fieldsOf({ body }: FastifyRequest): Record<string, string> {
  const entries = body instanceof URLSearchParams ? [...body] : Object.entries(body ?? {})
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Whether the caller is a browser that shows what it gets; everybody else is answered with JSON. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Lets the pages of this scope take forms and JSON, and shows their faults as pages, or as JSON to who is no browser. */
export function servePages(app: FastifyInstance): void {
  readForms(app)
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof StripeFault ? error.status : (error.statusCode ?? 500)
    if (status >= 500) request.log.error(error)
    if (!wantsPage(request)) {
      const wire = error instanceof StripeFault ? error.toWire() : { error: { message: error.message } }
      return reply.code(status).send(wire)
    }
    const isGone = status === 404
    const page = tellingPage(isGone ? 'Not here' : 'This cannot be done', [
      isGone ? 'There is nothing at this address, or not any more.' : 'Go back and try again.',
    ])
    return sendStripePage(reply.code(status), page)
  })
}
