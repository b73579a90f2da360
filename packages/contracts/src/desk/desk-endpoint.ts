import { z } from 'zod'
import { endpoint, type Route, type Terms } from '../endpoint.ts'
import { listQuery } from '../envelope.ts'
import { describedError } from '../errors.ts'
import { type DeskRole, deskRole, type EditorScope, rolesByScope } from './desk.ts'

/** Query of the lists whose `next` is a row id. */
export const idPage = listQuery.extend({
  after: z.uuid("must be the 'next' of the page before").optional().describe('The `next` of the page before'),
})

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
  401: describedError('No valid editor key, and no session of a person'),
  403: describedError('The key lacks the scope, or the person lacks the role or a recent proof'),
} as const
const notFoundError = { 404: describedError('It does not exist') } as const
const idempotencyError = { 409: describedError('The Idempotency-Key was used otherwise') } as const
const conflictError = {
  409: describedError('It has changed since it was read, or the Idempotency-Key was used otherwise'),
  428: describedError('If-Match is missing'),
} as const

type DeskTerms = Omit<Terms, 'access' | 'headers'> & {
  /** The scope that a key needs, or any one of several where the service decides by the resource. */
  readonly scope?: EditorScope | readonly EditorScope[]
  /** The roles of people who may call it; by default, those that the scope stands for. */
  readonly roles?: readonly DeskRole[]
  /** Whether keys of scripts get 403, because it is about the person. */
  readonly peopleOnly?: boolean
  /** Whether a request without If-Match gets 428, or may send it. */
  readonly ifMatch?: 'required' | 'optional'
  /** Whether it documents 404; by default, if it has parameters. */
  readonly notFound?: boolean
}

/** Returns the headers of a change: an Idempotency-Key, and If-Match where it exists. */
function headersOf({ method }: Route, hasVersion: boolean) {
  if (method === 'GET') return {}
  return { headers: hasVersion ? idempotencyHeader.extend(ifMatchHeader.shape) : idempotencyHeader }
}

/** Returns an endpoint of the desk: for editors, with the headers and errors that all of them have. */
export function deskEndpoint<const At extends Route, const Given extends DeskTerms>(route: At, terms: Given) {
  const { ifMatch, notFound = terms.params !== undefined, errors } = terms
  const roles: readonly DeskRole[] =
    terms.roles ?? rolesByScope[[terms.scope ?? 'write'].flat()[0] ?? 'write']
  return endpoint(route, {
    ...terms,
    access: 'editor',
    roles,
    description: [terms.description, describeAccess({ ...terms, roles })].filter(Boolean).join(' '),
    ...headersOf(route, ifMatch !== undefined),
    errors: {
      ...deskErrors,
      ...(notFound && notFoundError),
      ...(route.method !== 'GET' && idempotencyError),
      ...(ifMatch !== undefined && conflictError),
      ...errors,
    },
  })
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** Says in the API reference who may call an endpoint. */
function describeAccess({
  scope = [],
  roles,
  peopleOnly,
}: DeskTerms & { roles: readonly DeskRole[] }): string {
  const people = `people with the role ${alternatives.format(roles)}`
  if (peopleOnly === true) return `For ${people}.`
  const scopes = [scope].flat().map((name) => `\`${name}\``)
  return `For keys with the scope ${alternatives.format(scopes)}, and ${people}.`
}

/** The roles of everyone. */
const everyRole: readonly DeskRole[] = deskRole.options

/** Returns an endpoint of the desk for people with any role, and for no key. */
export function personEndpoint<const At extends Route, const Given extends Omit<DeskTerms, 'scope'>>(
  route: At,
  terms: Given,
) {
  return deskEndpoint(route, { roles: everyRole, ...terms, peopleOnly: true })
}

/** Returns an endpoint of the desk for owners, and for no key. */
export function ownerEndpoint<const At extends Route, const Given extends Omit<DeskTerms, 'scope' | 'roles'>>(
  route: At,
  terms: Given,
) {
  return deskEndpoint(route, { ...terms, roles: ['owner'], peopleOnly: true })
}
