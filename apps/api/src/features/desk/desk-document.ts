import { listQuery } from '@tidings/contracts/desk'
import { describedError } from '@tidings/contracts/errors'
import { z } from 'zod'

/** Headers that a change of something existing needs; documented here, checked where the version is known. */
export const ifMatchHeader = z.looseObject({
  'if-match': z
    .string()
    .optional()
    .describe('The ETag of the version that was read. Without it 428, with a stale one 409.'),
})

/** The header that makes a POST safe to repeat for 24 hours. */
export const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .optional()
    .describe(
      'Any text of your own: a repeated request with it is answered as the first was, and done once.',
    ),
})

/** Refusals that every route of the desk may answer. */
export const deskErrors = {
  400: describedError('What was sent is not valid; the message says what is expected'),
  401: describedError('No valid editor key'),
  403: describedError('The key lacks the scope'),
} as const

export const notFoundError = { 404: describedError('There is no such thing') } as const
export const conflictError = {
  409: describedError('It has changed since it was read, or the Idempotency-Key was used otherwise'),
  428: describedError('If-Match is missing'),
} as const

export const secured = [{ editorKey: [] }]

/** Query of the lists: ids of rows are what `next` names. */
export const idPage = listQuery.extend({ after: z.uuid("must be the 'next' of the page before").optional() })
