import type { Endpoint } from '@tidings/contracts/endpoint'
import { limits } from '@tidings/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { neverStored } from '#http/endpoints/access.ts'
import { type EndpointRequest, register } from '#http/endpoints/register.ts'
import type { UploadedFile } from '#integrations/storage/upload-spool.ts'
import { sha256 } from '#platform/ids.ts'
import { type Conflict, fail } from '../desk.errors.ts'
import type { DeskReply } from '../desk-reply.ts'
import { type AccessTerms, type Editor, requireAccess } from './editor.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    editor: Editor | null
  }
}

/** Fits fields of uncleaned HTML, also when JSON escapes many of their letters. */
export const htmlBodyLimit = 4 * limits.uncleanedCharacters

/** The editor who requests a change, with their Idempotency-Key and a hash of the request that it stands for. */
export type Requester = { editor: Editor; idempotency: { key: string; requestHash: string } | null }

type DeskEndpoint = Endpoint & AccessTerms & { readonly ifMatch?: 'required' | 'optional' }

type Input<Of extends DeskEndpoint> = Pick<EndpointRequest<Of>, 'params' | 'query' | 'body'> & {
  requester: Requester
  /** The version in If-Match; null without one. */
  version: number | null
  /** The upload, until the request has ended; null without one. */
  upload: UploadedFile | null
}

type Options = {
  bodyLimit?: number
  /** Reads a body that isn't JSON. */
  upload?: (request: FastifyRequest) => Promise<UploadedFile | null>
}

/** Registers an endpoint of `/desk/v1` with its scope, headers and ETag. */
export function registerDesk<const Of extends DeskEndpoint>(
  app: App,
  endpoint: Of,
  run: (input: Input<Of>) => Promise<DeskReply>,
  { bodyLimit, upload }: Options = {},
): void {
  const { ifMatch } = endpoint

  async function handle(request: EndpointRequest<Of>, reply: FastifyReply): Promise<FastifyReply> {
    neverStored(reply)
    const { params, query, body, headers } = request
    await using file = upload === undefined ? null : await upload(request)
    const requester = requesterOf(request, file?.hash ?? hashOf(endpoint.body === undefined ? null : body))
    const header = headers['if-match']
    const hasVersion = ifMatch === 'required' || (ifMatch === 'optional' && header !== undefined)
    const version = hasVersion ? parseIfMatch(header) : null
    const result = await run({ requester, params, query, body, version, upload: file })
    if (result.etag !== null) reply.header('ETag', result.etag)
    if (result.file !== undefined) return reply.type(result.file.type).send(result.file.content)
    return reply.code(result.status).send(result.body)
  }

  register(app, endpoint, handle, {
    // Before the body is validated: what is wrong with it is for those who may send it.
    preValidation: [async (request) => requireAccess(editorOf(request), endpoint), rejectUnknown],
    ...(bodyLimit !== undefined && { bodyLimit }),
  })
}

/** Rejects a query or body that an endpoint doesn't have. Strict schemas reject unknown keys on the others. */
async function rejectUnknown({ routeOptions, query, body }: FastifyRequest): Promise<void> {
  if (routeOptions.schema?.querystring === undefined) rejectKeys('query parameter', query)
  if (routeOptions.schema?.body === undefined) rejectKeys('body key', body)
}

function rejectKeys(what: string, given: unknown): void {
  if (given === undefined || given === null) return
  const [first] = Object.keys(Object(given))
  if (first === undefined && typeof given === 'object') return
  throw fail('invalid-request', `This address takes no ${what}${first === undefined ? '' : ` ${first}`}.`)
}

function hashOf(body: unknown): string {
  return sha256(JSON.stringify(body ?? null))
}

/** Returns the editor whom the access check found. */
export function editorOf(request: FastifyRequest): Editor {
  if (request.editor !== null) return request.editor
  throw new Error('A desk route was called without the access check')
}

/** Returns the requester of a change; `contentHash` is of the body or upload. */
function requesterOf(request: FastifyRequest, contentHash: string): Requester {
  const editor = editorOf(request)
  const header = request.headers['idempotency-key']
  if (header === undefined || request.method === 'GET') return { editor, idempotency: null }
  const key = String(header)
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw fail('invalid-request', 'Idempotency-Key takes 1 to 200 visible ASCII characters without spaces.')
  }
  return {
    editor,
    idempotency: { key, requestHash: sha256(`${request.method} ${request.url}\n${contentHash}`) },
  }
}

/** Parses an If-Match header. Throws `version-required` (428) without one, and 400 unless it is one version. */
export function parseIfMatch(header: string | undefined): number {
  if (header === undefined || header.trim() === '') throw fail('version-required')
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1]
  if (version === undefined)
    throw fail('invalid-request', 'If-Match takes one ETag of this API, such as "3".')
  return Number(version)
}

/**
 * Throws `version-conflict`, with who changed it and what it is now, unless the version in If-Match is the current one.
 * Throws `version-required` without one.
 */
export function requireVersion(read: number | null, current: number, conflict: Conflict = {}): void {
  if (read === null) throw fail('version-required')
  if (read !== current) throw fail('version-conflict', read, current, conflict)
}
