import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '#platform/ids.ts'
import { chooseEncoding, matchesTag } from '../cached-response.ts'

/** A page or a script that is the same for everybody, ready in every encoding. */
export type ReadyPage = { tag: string; type: string; bodies: Record<'identity' | 'br' | 'gzip', Buffer> }

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

export async function createReadyPage(text: string, type = 'text/html'): Promise<ReadyPage> {
  const identity = Buffer.from(text)
  const [br, zipped] = await Promise.all([compressBrotli(identity), compressGzip(identity, { level: 9 })])
  return {
    tag: sha256(identity).slice(0, 27),
    type: `${type}; charset=utf-8`,
    bodies: { identity, br, gzip: zipped },
  }
}

/** Sends the page, or 304 to a browser that has it. */
export function sendReadyPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ReadyPage,
  cacheControl = 'no-cache',
): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'], page.bodies.identity.byteLength)
  const etag = encoding === 'identity' ? `"${page.tag}"` : `"${page.tag}-${encoding}"`
  reply.headers({ 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' })
  const asked = request.headers['if-none-match']
  if (asked !== undefined && matchesTag(asked, page.tag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.type(page.type).send(page.bodies[encoding])
}
