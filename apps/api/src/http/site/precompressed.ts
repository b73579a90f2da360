import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '#platform/ids.ts'
import { chooseEncoding } from '../responses/cached-response.ts'
import { isNotModified } from '../responses/conditional-requests.ts'

/** A public file, compressed once at start. */
export type Precompressed = { tag: string; type: string; bodies: Record<'identity' | 'br' | 'gzip', Buffer> }

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export async function precompress(text: string, type: string): Promise<Precompressed> {
  const identity = Buffer.from(text)
  const [br, zipped] = await Promise.all([compressBrotli(identity), compressGzip(identity, { level: 9 })])
  const tag = sha256(identity).slice(0, 27)
  return { tag, type: `${type}; charset=utf-8`, bodies: { identity, br, gzip: zipped } }
}

/** Sends the file, or 304 if the browser has it. */
export function sendPrecompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, type, bodies }: Precompressed,
  cacheControl = 'no-cache',
): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'], bodies.identity.byteLength)
  reply.headers({ 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' })
  if (cacheControl !== 'no-store') {
    reply.header('ETag', encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`)
  }
  if (cacheControl !== 'no-store' && isNotModified(request, { tag })) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.type(type).send(bodies[encoding])
}

/** Sends the file to pages of any origin. */
export function sendToAnyOrigin(
  ...[request, reply, ...file]: Parameters<typeof sendPrecompressed>
): FastifyReply {
  reply.headers({
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  return sendPrecompressed(request, reply, ...file)
}
