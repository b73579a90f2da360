import type { EditorScope } from '@tidings/contracts/desk/desk'
import { listQuery } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import type { DeskReply } from '../desk-reply.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { parseIfMatch } from '../version-tag.ts'
import { editorOf, type Requester, requesterOf } from './requester.ts'

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
  403: describedError('The key lacks the scope'),
} as const
const notFoundError = { 404: describedError('It does not exist') } as const
const conflictError = {
  409: describedError('It has changed since it was read, or the Idempotency-Key was used otherwise'),
  428: describedError('If-Match is missing'),
} as const

/** Fits fields of uncleaned HTML, also when JSON escapes many of their letters. */
export const htmlBodyLimit = 4 * limits.uncleanedCharacters

type Route<Params, Query, Body> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  tag: string
  summary: string
  description?: string
  /** Checked before `run`. Services check it where it depends on the resource. */
  scope?: EditorScope
  params?: Params
  query?: Query
  body?: Body
  bodyLimit?: number
  /** Whether the route documents If-Match, and whether a request without it gets 428 before `run`. */
  ifMatch?: 'required' | 'optional'
  /** Whether the route documents 404; by default, if it has parameters. */
  notFound?: boolean
  response: Readonly<Record<number, z.core.$ZodType>>
  upload?: { consumes: string[]; read: (request: FastifyRequest) => Promise<Uint8Array> }
  run: (input: {
    requester: Requester
    params: z.output<Params>
    query: z.output<Query>
    body: z.output<Body>
    /** The version in If-Match; null without one. */
    version: number | null
    upload: Uint8Array
  }) => Promise<DeskReply>
}

/** Registers a route of `/desk/v1` with its document, checks, headers and ETag. */
export function deskRoute<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(app: App, route: Route<Params, Query, Body>): void
export function deskRoute(app: App, route: Route<z.ZodType, z.ZodType, z.ZodType>): void {
  const { method, url, bodyLimit, scope, ifMatch, upload, run } = route
  app.route({
    method,
    url,
    config: { access: 'editor' },
    ...(bodyLimit !== undefined && { bodyLimit }),
    schema: schemaOf(route),
    handler: async (request, reply) => {
      if (scope !== undefined) requireScope(editorOf(request), scope)
      const { params, query, headers } = request
      const content = upload === undefined ? new Uint8Array() : await upload.read(request)
      const body = route.body === undefined ? null : request.body
      const requester = requesterOf(request, upload === undefined ? body : content)
      const header = headers['if-match']
      const hasVersion = ifMatch === 'required' || (ifMatch === 'optional' && header !== undefined)
      const version = hasVersion ? parseIfMatch(header) : null
      const result = await run({ requester, params, query, body, version, upload: content })
      if (result.etag !== null) reply.header('ETag', result.etag)
      if (result.file !== undefined) return reply.type(result.file.type).send(result.file.content)
      return reply.code(result.status).send(result.body)
    },
  })
}

function schemaOf(route: Route<z.ZodType, z.ZodType, z.ZodType>): FastifySchema {
  const { method, params, query, body, ifMatch, upload, notFound = params !== undefined } = route
  return {
    tags: [route.tag],
    security: [{ editorKey: [] }],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(upload !== undefined && { consumes: upload.consumes }),
    ...(params !== undefined && { params }),
    ...(query !== undefined && { querystring: query }),
    ...(body !== undefined && { body }),
    ...(method === 'POST' && { headers: idempotencyHeader }),
    ...(ifMatch !== undefined && { headers: ifMatchHeader }),
    response: {
      ...deskErrors,
      ...(notFound && notFoundError),
      ...(ifMatch !== undefined && conflictError),
      ...route.response,
    },
  }
}
