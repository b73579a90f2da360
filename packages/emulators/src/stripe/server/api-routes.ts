import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import qs from 'qs'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Expansions } from '../endpoints/expansions.ts'
import { createRouter } from '../endpoints/router.ts'
import { ApiError, apiErrorOf, apiErrorOfIssues, invalid, type OnFailure } from '../protocol/errors.ts'
import { list, object, text } from '../protocol/params.ts'
import type { WireObject } from '../protocol/wire-object.ts'
import { apiVersion } from '../resources/event/event.ts'
import type { Accounts } from '../store/accounts.ts'
import type { AccountStore } from '../store/create-store.ts'
import { expand } from './expand.ts'
import type { Fault, Faults } from './faults.ts'
import {
  createIdempotencyKeys,
  fingerprintOf,
  type IdempotencyKeys,
  type StoredReply,
} from './idempotency.ts'

type Options = {
  endpoints: readonly Endpoint[]
  expansions: Expansions
  faults: Faults
  /** Receives the requested origin before each call runs. */
  onCall(origin: string): void
  onFailure: OnFailure
}

const base = '/v1'

/** Serves the API under `/v1`. */
export function addStripeRoutes(app: FastifyInstance, accounts: Accounts, options: Options): void {
  const { endpoints, expansions, faults, onCall, onFailure } = options
  const find = createRouter(endpoints)
  const keysByStore = new WeakMap<AccountStore, IdempotencyKeys>()

  function keysOf(store: AccountStore): IdempotencyKeys {
    const keys = keysByStore.get(store) ?? createIdempotencyKeys(store)
    keysByStore.set(store, keys)
    return keys
  }

  /** Runs a call. Returns its response, and whether it changed anything. */
  function perform(store: AccountStore, call: ApiCall): { reply: StoredReply; isBegun: boolean } {
    const { method, path, params, requestId, idempotencyKey } = call
    try {
      const match = find(method, path)
      if (!match) throw unknownRoute(method, path)
      const { expand: wanted, ...rest } = params
      const paths = readPaths(wanted)
      const body = store.transact(
        () => expand(store, match.endpoint.run(store, rest, match.path), paths, expansions),
        { id: requestId, idempotencyKey },
      )
      return { reply: { status: 200, body: JSON.stringify(inMode(store, body)), requestId }, isBegun: true }
    } catch (error) {
      const refused = apiErrorOf(error, onFailure)
      const body = JSON.stringify(refused.toWire())
      return { reply: { status: refused.status, body, requestId }, isBegun: refused.isBegun }
    }
  }

  /** Runs a call once per idempotency key. */
  async function performOnce(
    store: AccountStore,
    call: ApiCall,
    fault: Fault | undefined,
  ): Promise<StoredReply & { isReplayed: boolean }> {
    const { method, path, params, idempotencyKey: key } = call
    const keys = keysOf(store)
    const fingerprint = fingerprintOf(method, path, params)
    const former = key === null ? undefined : keys.find(key, fingerprint)
    if (former) return { ...former, isReplayed: true }
    if (key !== null) keys.begin(key)
    try {
      if (fault?.kind === 'slow') await faults.delay(fault)
      onCall(call.origin)
      const { reply, isBegun } = perform(store, call)
      if (key !== null && isBegun) keys.keep(key, fingerprint, reply)
      return { ...reply, isReplayed: false }
    } finally {
      if (key !== null) keys.end(key)
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const store = storeOf(request, accounts)
    const call = readCall(request, store.newId('req'))
    reply.headers({ 'request-id': call.requestId, 'stripe-version': call.version })
    reply.header('cache-control', 'no-cache, no-store')
    if (call.idempotencyKey !== null) reply.header('idempotency-key', call.idempotencyKey)
    const fault = faults.take(call.method, base + call.path, call.said)
    if (fault && (await failBefore(store, { request, reply }, fault))) return reply
    const result = await performOnce(store, call, fault)
    if (fault && (await failAfter(request, reply, fault))) return reply
    if (fault?.kind === 'late') await faults.delay(fault)
    if (result.isReplayed) {
      reply.headers({ 'idempotent-replayed': 'true', 'original-request': result.requestId })
    }
    return reply.code(result.status).type('application/json').send(result.body)
  }

  app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    api.setErrorHandler((error, _request, reply) => {
      const fault = apiErrorOf(error, onFailure)
      if (fault.status === 409) reply.header('stripe-should-retry', 'true')
      return reply.code(fault.status).type('application/json').send(JSON.stringify(fault.toWire()))
    })
    api.all(`${base}/*`, answer)
  })
}

type ApiCall = {
  method: string
  /** Below `/v1`. */
  path: string
  params: Record<string, unknown>
  requestId: string
  idempotencyKey: string | null
  version: string
  origin: string
  /** The address and the body. */
  said: string
}

const manyParameters = { depth: 10, arrayLimit: 1_000, parameterLimit: 10_000 }

function readCall(request: FastifyRequest, requestId: string): ApiCall {
  const { method, headers, host } = request
  const [address = '', query = ''] = request.url.split('?', 2)
  const body = typeof request.body === 'string' ? request.body : ''
  const key = headers['idempotency-key']
  return {
    method,
    path: address.slice(base.length).replace(/\/$/, ''),
    params: { ...qs.parse(query, manyParameters), ...qs.parse(body, manyParameters) },
    requestId,
    idempotencyKey: method === 'POST' && typeof key === 'string' && key !== '' ? key : null,
    version: String(headers['stripe-version'] ?? apiVersion),
    origin: `${request.protocol}://${host}`,
    said: `${request.url} ${body}`,
  }
}

const pathsSchema = object({ expand: list(text).optional() })

function readPaths(wanted: unknown): string[] {
  const parsed = pathsSchema.safeParse({ expand: wanted }, { reportInput: true })
  if (!parsed.success) throw apiErrorOfIssues(parsed.error.issues)
  return parsed.data.expand ?? []
}

/** Returns the store that the call's key opens. */
function storeOf({ headers: { authorization = '' } }: FastifyRequest, accounts: Accounts): AccountStore {
  const given = keyOf(authorization)
  if (given === '') {
    const message =
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
    throw invalid(message, { status: 401, isBegun: false })
  }
  const store = accounts.find(given)
  if (store) return store
  throw invalid(`Invalid API Key provided: ${given.slice(0, 8)}***`, { status: 401, isBegun: false })
}

/** Sets `livemode` in a response of live mode. */
function inMode({ isLive }: AccountStore, body: WireObject): WireObject {
  if (!isLive) return body
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'livemode' ? true : value))
}

/** Returns the key of `Bearer`, or the user name of `curl -u KEY:`. */
function keyOf(authorization: string): string {
  const [scheme = '', given = ''] = authorization.split(' ')
  if (scheme.toLowerCase() === 'bearer') return given
  if (scheme.toLowerCase() !== 'basic') return ''
  return Buffer.from(given, 'base64').toString().split(':')[0] ?? ''
}

function unknownRoute(method: string, path: string) {
  const message = `Unrecognized request URL (${method}: ${base}${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  return invalid(message, { status: 404, isBegun: false })
}

function unknownError() {
  return new ApiError('api_error', 'An unknown error occurred', { status: 500, isBegun: false })
}

/** Returns whether the fault ended the call before it ran. */
async function failBefore(
  { accountId }: AccountStore,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { kind, delayMs }: Fault,
): Promise<boolean> {
  switch (kind) {
    case 'server-error':
      throw unknownError()
    case 'rate-limit':
      reply.header('stripe-rate-limited-reason', 'global-rate')
      throw invalid('Request rate limit exceeded.', { code: 'rate_limit', status: 429, isBegun: false })
    case 'unauthorized':
      throw invalid('Expired API Key provided.', { status: 401, isBegun: false })
    case 'forbidden':
      throw invalid(
        `The provided key does not have the required permissions for this endpoint on account '${accountId}'.`,
        { status: 403, isBegun: false },
      )
    case 'timeout-before':
      await holdConnection(request, reply, delayMs)
      return true
    case 'reset':
      await holdConnection(request, reply, 0)
      return true
    case 'timeout-after':
    case 'reset-after':
    case 'slow':
    case 'late':
      return false
  }
}

/** Returns whether the fault dropped the response. */
async function failAfter(
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, delayMs }: Fault,
): Promise<boolean> {
  if (kind !== 'timeout-after' && kind !== 'reset-after') return false
  await holdConnection(request, reply, kind === 'reset-after' ? 0 : delayMs)
  return true
}

const maxSilenceMs = 3_600_000

/** Holds the connection without a response until the caller closes it, or for `delayMs`. */
async function holdConnection(
  { raw: { socket } }: FastifyRequest,
  reply: FastifyReply,
  delayMs = maxSilenceMs,
): Promise<void> {
  reply.hijack()
  if (socket.destroyed) return
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  const ending = setTimeout(() => socket.destroy(), delayMs).unref()
  await closed
  clearTimeout(ending)
}
