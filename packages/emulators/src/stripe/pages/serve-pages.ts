import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readForms } from '../../forms.ts'
import { apiErrorOf, type OnFailure } from '../protocol/errors.ts'
import type { AccountStore } from '../store/create-store.ts'
import { noticePage, sendStripePage } from './page.ts'

/** What pages are made of, and who is told when they fail. */
export type StripePages = { store: AccountStore; onFailure: OnFailure }

/** A form's or a JSON body's texts by name; what is no text is left out. */
export function fieldsOf({ body }: FastifyRequest): Record<string, string> {
  const entries = body instanceof URLSearchParams ? [...body] : Object.entries(body ?? {})
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** Whether the caller is a browser that shows what it gets; everybody else is answered with JSON. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Lets the pages of this scope take forms and JSON, and shows their faults as pages, or as JSON to who is no browser. */
export function servePages(app: FastifyInstance, onFailure: OnFailure): void {
  readForms(app)
  app.setErrorHandler((error, request, reply) => {
    const fault = apiErrorOf(error, onFailure)
    const { status } = fault
    if (!wantsPage(request)) return reply.code(status).send(fault.toWire())
    const isGone = status === 404
    const page = noticePage(isGone ? 'Not here' : 'This cannot be done', [
      isGone ? 'There is nothing at this address, or not any more.' : 'Go back and try again.',
    ])
    return sendStripePage(reply.code(status), page)
  })
}
