import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cache } from '#platform/cache/cache.ts'
import { sha256 } from '#platform/ids.ts'
import type { Metrics } from '#platform/metrics.ts'
import { requestIdHeader } from '../endpoints/request-id.ts'
import { securityHeaders } from '../origins/security-headers.ts'
import { isNotModified } from './conditional-requests.ts'

type Encoding = 'identity' | 'br' | 'gzip'
/** `headers` alternate names and values, the form that Node writes fastest. */
type Variant = { body: Buffer; headers: string[]; etag: string }

/** The common part of all responses of one kind. `headers` are sent with 304 too. */
type Format = { contentType: string; headers: Readonly<Record<string, string>>; lastModified?: string }

/** A response whose bytes and headers are created once per encoding and sent many times. */
export type CachedResponse = {
  identity: Variant
  compressed: Map<Encoding, Promise<Variant>>
  /** The entity tag without its encoding. */
  tag: string
  format: Format
  bytes: number
}

const smallestCompressed = 1_024
// Long lists are so repetitive that the faster quality compresses them as well.
const longBytes = 100_000
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const jsonFormat: Format = {
  contentType: 'application/json; charset=utf-8',
  headers: { 'Cache-Control': 'private, no-cache' },
}

/** Creates a JSON response from the value of its body. */
export function createCachedResponse(value: unknown): CachedResponse {
  return createCachedText(JSON.stringify(value), jsonFormat)
}

/** Creates a response from the text of its body. */
export function createCachedText(text: string, format: Format): CachedResponse {
  const body = Buffer.from(text)
  const tag = sha256(body).slice(0, 27)
  return {
    identity: variantOf(body, tag, format, 'identity'),
    compressed: new Map(),
    tag,
    format,
    // The compressed variants together are smaller than the plain one.
    bytes: body.byteLength * 2 + 1_000,
  }
}

function variantOf(body: Buffer, tag: string, format: Format, encoding: Encoding): Variant {
  const etag = encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`
  const headers = {
    'Content-Type': format.contentType,
    ...format.headers,
    ...(format.lastModified === undefined ? {} : { 'Last-Modified': format.lastModified }),
    Vary: 'Accept-Encoding',
    ETag: etag,
    ...securityHeaders,
    'Content-Length': String(body.byteLength),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  }
  return { body, headers: Object.entries(headers).flat(), etag }
}

export type CachedResponses = ReturnType<typeof createCachedResponses>

/** Sends responses from an invalidated cache. */
export function createCachedResponses(cache: Cache<CachedResponse>, metrics: Metrics) {
  const reads = { hit: 0, miss: 0, stale: 0 }
  metrics.countCacheReads(reads)
  return {
    /** Loads and compresses a response ahead of requests. */
    async warm(key: string, load: () => Promise<unknown>): Promise<void> {
      const cached = await cache.load(key, async () => createCachedResponse(await load()))
      if (cached.identity.body.byteLength >= smallestCompressed) await compressedVariant(cached, 'br')
    },

    /** Sends the response of a key, from memory if possible. */
    send(
      request: FastifyRequest,
      reply: FastifyReply,
      key: string,
      load: () => Promise<unknown>,
    ): void | Promise<void> {
      const cached = cache.peek(key)
      if (cached !== undefined) {
        reads.hit += 1
        return sendCached(request, reply, cached)
      }
      return cache
        .loadAged(key, async () => createCachedResponse(await load()))
        .then(({ value, staleSeconds }) => {
          reads[staleSeconds === null ? 'miss' : 'stale'] += 1
          return sendCached(request, reply, value, staleSeconds)
        })
    },
  }
}

/** Sends a response, or 304 if the requester has it. `staleSeconds`: its age, if it may be out of date. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedResponse,
  staleSeconds: number | null = null,
): void | Promise<void> {
  const encoding = chooseEncoding(request.headers['accept-encoding'], cached.identity.body.byteLength)
  const isKnown = isNotModified(request, { tag: cached.tag, lastModified: cached.format.lastModified })
  const stale = staleSeconds === null ? null : staleHeadersOf(staleSeconds)
  const send = (variant: Variant) => sendVariant(reply, cached, variant, { isKnown, stale })
  if (encoding === 'identity') return send(cached.identity)
  return compressedVariant(cached, encoding).then(send)
}

/** Returns the headers that say so if a response may be out of date (RFC 9111, 5.1, and RFC 9211). */
function staleHeadersOf(staleSeconds: number): Record<string, string> {
  return {
    Age: String(staleSeconds),
    'Cache-Status': `Tidings; hit; ttl=${-staleSeconds}; detail=database-unavailable`,
  }
}

function sendVariant(
  reply: FastifyReply,
  cached: CachedResponse,
  variant: Variant,
  { isKnown, stale }: { isKnown: boolean; stale: Record<string, string> | null },
): void {
  if (isKnown) {
    void reply
      .code(304)
      .headers({ ...cached.format.headers, Vary: 'Accept-Encoding', ETag: variant.etag, ...stale })
      .send()
  } else {
    // NOTE: bypasses Fastify for speed, so onSend hooks do not run.
    reply.hijack()
    const headers = [...variant.headers, requestIdHeader, reply.request.id]
    if (stale !== null) headers.push(...Object.entries(stale).flat())
    reply.raw.writeHead(200, headers).end(variant.body)
  }
}

function compressedVariant(cached: CachedResponse, encoding: 'br' | 'gzip'): Promise<Variant> {
  const known = cached.compressed.get(encoding)
  if (known !== undefined) return known
  const made = compress(cached.identity.body, encoding).then((body) =>
    variantOf(body, cached.tag, cached.format, encoding),
  )
  cached.compressed.set(encoding, made)
  return made
}

function compress(body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> {
  return encoding === 'br'
    ? compressBrotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: body.byteLength < longBytes ? 6 : 4 },
      })
    : compressGzip(body, { level: 7 })
}

// Bounded, because clients choose the headers.
const encodingsByHeader = new Map<string, Encoding>()
const maxCachedHeaders = 100

/** Returns the best encoding that the requester accepts (RFC 9110, 12.5.3); honors `q=0`. */
export function chooseEncoding(accepted: string | undefined, bytes: number): Encoding {
  if (accepted === undefined || bytes < smallestCompressed) return 'identity'
  const known = encodingsByHeader.get(accepted)
  if (known !== undefined) return known
  const encoding = parseAccepted(accepted)
  if (encodingsByHeader.size < maxCachedHeaders) encodingsByHeader.set(accepted, encoding)
  return encoding
}

function parseAccepted(accepted: string): Encoding {
  const taken = namesAccepted(accepted)
  if (taken.has('br')) return 'br'
  return taken.has('gzip') ? 'gzip' : 'identity'
}

/** Returns the names in a header such as Accept, without those of `q=0`. */
export function namesAccepted(header: string): ReadonlySet<string | undefined> {
  const parts = header.toLowerCase().split(',')
  const accepted = parts.filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
  return new Set(accepted.map((part) => part.split(';')[0]?.trim()))
}
