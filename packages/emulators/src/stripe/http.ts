import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import qs from 'qs'
import { z } from 'zod'
import type { KeptWorld } from './create-world.ts'
import type { Endpoint } from './endpoint.ts'
import { invalid, StripeFault } from './errors.ts'
import { type Expansions, expand } from './expand.ts'
import type { Fault, Faults } from './faults.ts'
import { createIdempotencyKeys, fingerprintOf, type StoredReply } from './idempotency.ts'
import { createRouter } from './router.ts'
import { apiVersion } from './wire/event.ts'

type Options = {
  endpoints: readonly Endpoint[]
  expansions: Expansions
  faults: Faults
  /** Is told at which origin the stand-in is asked, just before each call runs. */
  onCall(origin: string): void
}

const base = '/v1'

/** The API under `/v1`, as far as it is not about any single kind of object. */
export function addStripeRoutes(app: FastifyInstance, world: KeptWorld, options: Options): void {
  const { endpoints, expansions, faults, onCall } = options
  const find = createRouter(endpoints)
  const keys = createIdempotencyKeys(world)

  /** What a call answers, and whether it began at all. */
  function perform(call: ApiCall): { reply: StoredReply; isBegun: boolean } {
    const { method, path, params, requestId, idempotencyKey } = call
    try {
      const match = find(method, path)
      if (!match) throw unknownRoute(method, path)
      const { expand: wanted, ...rest } = params
      const paths = readPaths(wanted)
      const body = world.during({ id: requestId, idempotencyKey }, () => {
        const answer = match.endpoint.run(world, rest, match.path)
        return expand(world, answer, paths, expansions)
      })
      return { reply: { status: 200, body: JSON.stringify(body), requestId }, isBegun: true }
    } catch (error) {
      const fault = faultOf(error)
      const body = JSON.stringify(fault.toWire())
      return { reply: { status: fault.status, body, requestId }, isBegun: !fault.unbegun }
    }
  }

  /** The same, once for each idempotency key. */
  async function performOnce(call: ApiCall, delayMs: number): Promise<StoredReply & { isReplayed: boolean }> {
    const { method, path, params, idempotencyKey: key } = call
    const fingerprint = fingerprintOf(method, path, params)
    const former = key === null ? undefined : keys.find(key, fingerprint)
    if (former) return { ...former, isReplayed: true }
    if (key !== null) keys.begin(key)
    try {
      if (delayMs > 0) await pause(delayMs)
      onCall(call.origin)
      const { reply, isBegun } = perform(call)
      if (key !== null && isBegun) keys.keep(key, fingerprint, reply)
      return { ...reply, isReplayed: false }
    } finally {
      if (key !== null) keys.end(key)
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const call = readCall(request, world.newId('req'))
    reply.headers({ 'request-id': call.requestId, 'stripe-version': call.version })
    reply.header('cache-control', 'no-cache, no-store')
    if (call.idempotencyKey !== null) reply.header('idempotency-key', call.idempotencyKey)
    requireKey(request)
    const fault = faults.take(call.method, base + call.path, call.said)
    if (fault && (await failBefore(request, reply, fault))) return reply
    const result = await performOnce(call, fault?.kind === 'slow' ? (fault.delayMs ?? 0) : 0)
    if (fault && (await failAfter(request, reply, fault))) return reply
    if (fault?.kind === 'late') await pause(fault.delayMs ?? 0)
    if (result.isReplayed) {
      reply.headers({ 'idempotent-replayed': 'true', 'original-request': result.requestId })
    }
    return reply.code(result.status).type('application/json').send(result.body)
  }

  app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    api.setErrorHandler((error, _request, reply) => {
      const fault = faultOf(error)
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
  /** The address and the body as they came. */
  said: string
}

const manyParameters = { depth: 10, arrayLimit: 1_000, parameterLimit: 10_000 }

function readCall(request: FastifyRequest, requestId: string): ApiCall {
  const { method, headers, host } = request
  const [address = '', query = ''] = request.url.split('?', 2)
  const text = typeof request.body === 'string' ? request.body : ''
  const key = headers['idempotency-key']
  return {
    method,
    path: address.slice(base.length).replace(/\/$/, ''),
    params: { ...qs.parse(query, manyParameters), ...qs.parse(text, manyParameters) },
    requestId,
    idempotencyKey: method === 'POST' && typeof key === 'string' && key !== '' ? key : null,
    version: String(headers['stripe-version'] ?? apiVersion),
    origin: `${request.protocol}://${host}`,
    said: `${request.url} ${text}`,
  }
}

const pathsSchema = z.array(z.string()).catch([])

function readPaths(wanted: unknown): string[] {
  return pathsSchema.parse(wanted)
}

/** Any key of Stripe's test mode will do; a live key has no business here. */
function requireKey({ headers: { authorization = '' } }: FastifyRequest) {
  const [scheme = '', given = ''] = authorization.split(' ')
  if (!given || scheme.toLowerCase() !== 'bearer') {
    const message =
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
    throw invalid(message, { status: 401, unbegun: true })
  }
  if (/^(sk|rk)_test_/.test(given)) return
  throw invalid('Invalid API Key provided: the stand-in takes keys of the test mode.', {
    status: 401,
    unbegun: true,
  })
}

function faultOf(error: unknown): StripeFault {
  if (error instanceof StripeFault) return error
  const told = error instanceof Error ? error.message : String(error)
  return new StripeFault('api_error', `The stand-in failed: ${told}`, { status: 500 })
}

function unknownRoute(method: string, path: string) {
  const message = `Unrecognized request URL (${method}: ${base}${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  return invalid(message, { status: 404, unbegun: true })
}

/** Whether the fault ended the call before anything was done. */
async function failBefore(
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, delayMs }: Fault,
): Promise<boolean> {
  switch (kind) {
    case 'server-error':
      throw new StripeFault('api_error', 'An unknown error occurred', { status: 500, unbegun: true })
    case 'rate-limit':
      reply.header('stripe-rate-limited-reason', 'global-rate')
      throw invalid('Request rate limit exceeded.', { code: 'rate_limit', status: 429, unbegun: true })
    case 'forbidden':
      throw invalid('The provided key does not have the required permissions.', {
        status: 403,
        unbegun: true,
      })
    case 'timeout-before':
      await stayAway(request, reply, delayMs)
      return true
    case 'reset':
      await stayAway(request, reply, 0)
      return true
    case 'timeout-after':
    case 'reset-after':
    case 'slow':
    case 'late':
      return false
  }
}

/** Whether the fault swallowed the answer. */
async function failAfter(
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, delayMs }: Fault,
): Promise<boolean> {
  if (kind !== 'timeout-after' && kind !== 'reset-after') return false
  await stayAway(request, reply, kind === 'reset-after' ? 0 : delayMs)
  return true
}

/** Answers nothing: the connection stays open until the caller closes it, or for so many milliseconds. */
async function stayAway({ raw }: FastifyRequest, reply: FastifyReply, delayMs: number | undefined) {
  reply.hijack()
  const gone = new AbortController()
  raw.socket.once('close', () => gone.abort())
  if (raw.socket.destroyed) return
  const longest = 3_600_000
  await pause(delayMs ?? longest, undefined, { signal: gone.signal, ref: false }).catch(() => undefined)
  raw.socket.destroy()
}
