import { type CalendarDate, parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { articlePicture, memoPicture } from '@tidings/contracts/pictures'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import { chooseRange } from '#http/responses/byte-range.ts'
import { isNotModified } from '#http/responses/conditional-requests.ts'
import type { PictureUse } from '#integrations/pictures/picture-encoder.ts'
import { fail } from './media.errors.ts'
import type { MediaService, PictureRequest, ServedPicture } from './media.service.ts'
import { chooseFormat, chooseWidth } from './picture-choice.ts'

/** Registers the pictures of memos and of gated articles. */
export function registerMediaRoutes(app: App, { media }: { media: MediaService }): void {
  register(app, memoPicture, async (request, reply) => {
    const { date: text, timestamp, file } = request.params
    const { date, slot } = getPlace(text, timestamp)
    const wanted = pictureRequestOf(request, 'editorial', file, request.query.w)
    return sendPicture(request, reply, wanted, await media.ofEdition(date, slot, wanted))
  })

  register(app, articlePicture, async (request, reply) => {
    const wanted = pictureRequestOf(request, 'editorial', request.params.file, request.query.w)
    return sendPicture(request, reply, wanted, await media.ofArticles(wanted))
  })
}

/** Parses the edition in a picture's URL. Throws `invalid-date` or `invalid-edition-key`. */
function getPlace(date: string, slot: string): { date: CalendarDate; slot: string } {
  if (parseWireDate(date) === null) throw fail('invalid-date')
  const place = parseEditionKey(`${date}-${slot}`)
  if (place !== null) return place
  throw fail('invalid-edition-key')
}

/** Returns the variant of a picture that a request gets. */
export function pictureRequestOf(
  { headers }: FastifyRequest,
  use: PictureUse,
  file: string,
  width: number | undefined,
): PictureRequest {
  return { file, width: chooseWidth(width, use), format: chooseFormat(headers.accept, use) }
}

/**
 * Sends a picture, or the range of it that was asked for. Browsers may cache it, since its bytes never change. Shared
 * caches may not, because of the gate.
 */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { width }: PictureRequest,
  { bytes, etag, format }: ServedPicture,
): FastifyReply {
  const tag = `${etag}-${width}-${format}`
  const size = bytes.byteLength
  const isCached = isNotModified(request, { tag })
  const range = isCached ? undefined : chooseRange(request, { tag, size })
  if (range === null) throw fail('range-not-satisfiable', size)
  reply.headers({
    'Cache-Control': 'private, max-age=2592000, immutable',
    Vary: 'Accept',
    ETag: `"${tag}"`,
    'Accept-Ranges': 'bytes',
  })
  if (isCached) return reply.code(304).send()
  reply.type(`image/${format}`)
  if (range === undefined) return reply.send(bytes)
  reply.code(206).header('Content-Range', `bytes ${range.first}-${range.last}/${size}`)
  return reply.send(bytes.subarray(range.first, range.last + 1))
}
