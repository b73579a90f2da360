import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cache } from '../platform/cache/cache.ts'
import { sha256 } from '../platform/ids.ts'
import type { Metrics } from '../platform/metrics.ts'

type Encoding = 'identity' | 'br' | 'gzip'
/** `headers` are names and values in turns, as the server takes them without looking at each. */
type Variant = { body: Buffer; headers: string[]; etag: string }

/** A reply whose bytes and headers are made once and sent many times, in each encoding that is asked for. */
export type CachedResponse = {
  identity: Variant
  /** Made when first asked for. */
  compressed: Map<Encoding, Promise<Variant>>
  /** What the bytes are known by, whatever their encoding. */
  tag: string
  contentType: string
  bytes: number
}

const smallestCompressed = 1_024
// A long list repeats itself so much that the quicker quality makes it just as small.
const longBytes = 100_000
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Makes a reply ready from the value of its body. */
export function createCachedResponse(value: unknown): CachedResponse {
  const body = Buffer.from(JSON.stringify(value))
  const tag = sha256(body).slice(0, 27)
  const contentType = 'application/json; charset=utf-8'
  return {
    identity: variantOf(body, tag, contentType, 'identity'),
    compressed: new Map(),
    tag,
    contentType,
    // Compressed copies together are smaller than the plain one, so twice its size covers all.
    bytes: body.byteLength * 2 + 1_000,
  }
}

function variantOf(body: Buffer, tag: string, contentType: string, encoding: Encoding): Variant {
  const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(body.byteLength),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  }
  return { body, headers: Object.entries(headers).flat(), etag }
}

export type CachedResponses = {
  /** Sends the reply of a key from memory; loads it first when it is not there or no longer holds. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    load: () => Promise<unknown>,
  ): void | Promise<void>
  /** Loads a reply before anybody asks for it. */
  prepare(key: string, load: () => Promise<unknown>): Promise<void>
}

/** Sends ready replies out of a cache that hears of every change. */
export function createCachedResponses(cache: Cache<CachedResponse>, metrics: Metrics): CachedResponses {
  const reads = { hit: 0, miss: 0 }
  metrics.countCacheReads(reads)
  return {
    async prepare(key, load) {
      const ready = await cache.load(key, async () => createCachedResponse(await load()))
      if (ready.identity.body.byteLength >= smallestCompressed) await compressedVariant(ready, 'br')
    },
    send(request, reply, key, load) {
      const ready = cache.peek(key)
      if (ready !== undefined) {
        reads.hit += 1
        return sendReady(request, reply, ready)
      }
      reads.miss += 1
      return cache
        .load(key, async () => createCachedResponse(await load()))
        .then((loaded) => sendReady(request, reply, loaded))
    },
  }
}

function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  ready: CachedResponse,
): void | Promise<void> {
  const asked = request.headers['if-none-match']
  const encoding = chooseEncoding(request.headers['accept-encoding'], ready.identity.body.byteLength)
  if (encoding === 'identity') return sendVariant(reply, ready, ready.identity, asked)
  return compressedVariant(ready, encoding).then((variant) => sendVariant(reply, ready, variant, asked))
}

function sendVariant(
  reply: FastifyReply,
  ready: CachedResponse,
  variant: Variant,
  asked: string | undefined,
): void {
  if (asked !== undefined && matchesTag(asked, ready.tag)) {
    void reply
      .code(304)
      .headers({ 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding', ETag: variant.etag })
      .send()
  } else {
    // NOTE: sent past the framework, whose way costs time on every read: no onSend hook sees it.
    reply.hijack()
    reply.raw.writeHead(200, variant.headers).end(variant.body)
  }
}

function compressedVariant(ready: CachedResponse, encoding: 'br' | 'gzip'): Promise<Variant> {
  const known = ready.compressed.get(encoding)
  if (known !== undefined) return known
  const made = compress(ready.identity.body, encoding).then((body) =>
    variantOf(body, ready.tag, ready.contentType, encoding),
  )
  ready.compressed.set(encoding, made)
  return made
}

function compress(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'br'
    ? compressBrotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: body.byteLength < longBytes ? 6 : 4 },
      })
    : compressGzip(body, { level: 7 })
}

// Browsers send a handful of different headers; whatever else is sent must not fill the memory.
const chosen = new Map<string, Encoding>()
const mostChosen = 100

/** RFC 9110, 12.5.3: the best of ours that the caller takes; refusals by `q=0` are honoured. */
export function chooseEncoding(accepted: string | undefined, bytes: number): Encoding {
  if (accepted === undefined || bytes < smallestCompressed) return 'identity'
  const known = chosen.get(accepted)
  if (known !== undefined) return known
  const encoding = parseAccepted(accepted)
  if (chosen.size < mostChosen) chosen.set(accepted, encoding)
  return encoding
}

function parseAccepted(accepted: string): Encoding {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  )
  if (taken.has('br')) return 'br'
  return taken.has('gzip') ? 'gzip' : 'identity'
}

/** RFC 9110, 13.1.2: weak comparison with each tag of the list, whatever encoding the caller holds. */
export function matchesTag(asked: string, tag: string): boolean {
  if (asked.trim() === '*') return true
  return asked.split(',').some((part) => {
    const name = part.trim().replace(/^W\//, '').replace(/^"|"$/g, '')
    return name === tag || name === `${tag}-br` || name === `${tag}-gzip`
  })
}
