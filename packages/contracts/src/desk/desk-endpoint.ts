import { z } from 'zod'
import { endpoint, type Route, type Terms } from '../endpoint.ts'
import { listQuery } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { type DeskRole, type EditorScope, rolesByScope } from './desk.ts'

/** Query of the lists whose `next` is a row id. */
export const idPage = listQuery.extend({ after: z.uuid("must be the 'next' of the page before").optional() })

const ifMatchHeader = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe('The ETag of the version that was read: 428 without it, 409 if the resource has changed since'),
})
const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'Any text. For 24 hours, a request that repeats it gets the first response and changes nothing.',
    ),
})

const deskErrors = {
  400: describedError('The request is invalid; the message says what is expected'),
  401: describedError('No valid editor key'),
  403: describedError('The key lacks the scope, or the person lacks the role'),
} as const
const notFoundError = { 404: describedError('It does not exist') } as const
const conflictError = {
  409: describedError('It has changed since it was read, or the Idempotency-Key was used otherwise'),
  428: describedError('If-Match is missing'),
} as const

type DeskTerms = Omit<Terms, 'access' | 'headers'> & {
  /** Checked before the service, which checks it itself where it depends on the resource. */
  readonly scope?: EditorScope
  /** The roles of people who may call it; by default, those that the scope stands for. */
  readonly roles?: readonly DeskRole[]
  /** Whether a request without If-Match gets 428, or may send it. */
  readonly ifMatch?: 'required' | 'optional'
  /** Whether it documents 404; by default, if it has parameters. */
  readonly notFound?: boolean
}

/** Returns an endpoint of the desk: for editors, with the headers and errors that all of them have. */
export function deskEndpoint<const At extends Route, const Given extends DeskTerms>(route: At, terms: Given) {
  const { ifMatch, notFound = terms.params !== undefined, errors } = terms
  const roles: readonly DeskRole[] = terms.roles ?? rolesByScope[terms.scope ?? 'write']
  return endpoint(route, {
    ...terms,
    access: 'editor',
    roles,
    ...(route.method === 'POST' && { headers: idempotencyHeader }),
    ...(ifMatch !== undefined && { headers: ifMatchHeader }),
    errors: {
      ...deskErrors,
      ...(notFound && notFoundError),
      ...(ifMatch !== undefined && conflictError),
      ...errors,
    },
  })
}
