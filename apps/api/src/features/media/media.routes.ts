import { type CalendarDate, parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { paths } from '@tidings/contracts/paths'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { matchesTag } from '#http/cached-response.ts'
import type { PictureUse } from '#integrations/pictures/picture-encoder.ts'
import type { StoredPicture } from '#integrations/storage/media-store.ts'
import { AppError } from '#platform/errors.ts'
import type { MediaService, PictureWish } from './media.service.ts'
import { chooseFormat, chooseWidth } from './picture-choice.ts'

/** The query of a picture's address. */
export const widthQuery = z.object({
  w: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe('How many pixels wide it will be shown; the nearest kept width that fills it is sent'),
})

const description = 'AVIF or WebP when `Accept` names them, JPEG otherwise.'

/** Pictures of memos and of gated articles. */
export function registerMediaRoutes(app: App, { media }: { media: MediaService }): void {
  app.get(
    paths.media,
    {
      config: { access: 'gate' },
      schema: {
        tags: ['Pictures'],
        summary: 'A picture of a published memo',
        description,
        params: z.object({
          date: z.string().describe('MM-DD-YY'),
          timestamp: z.string().describe('The slot'),
          file: z.string(),
        }),
        querystring: widthQuery,
      },
    },
    async (request, reply) => {
      const { date: text, timestamp, file } = request.params
      const { date, slot } = getPlace(text, timestamp)
      const wish = wishOf(request, 'editorial', file, request.query.w)
      return sendPicture(request, reply, wish, await media.ofEdition(date, slot, wish))
    },
  )

  app.get(
    paths.gatedMedia,
    {
      config: { access: 'gate' },
      schema: {
        tags: ['Pictures'],
        summary: 'A picture of a published gated article',
        description,
        params: z.object({ file: z.string() }),
        querystring: widthQuery,
      },
    },
    async (request, reply) => {
      const wish = wishOf(request, 'editorial', request.params.file, request.query.w)
      return sendPicture(request, reply, wish, await media.ofArticles(wish))
    },
  )
}

/** The edition of a picture's address; throws `invalid-date` or `invalid-edition-key`. */
function getPlace(date: string, slot: string): { date: CalendarDate; slot: string } {
  if (parseWireDate(date) === null) {
    throw new AppError('invalid-date', 400, 'A date is written MM-DD-YY, such as 11-20-26.')
  }
  const place = parseEditionKey(`${date}-${slot}`)
  if (place !== null) return place
  throw new AppError('invalid-edition-key', 400, 'A slot is written in letters and digits, such as 10AM.')
}

/** What a request wants to see of a picture. */
export function wishOf(
  { headers }: FastifyRequest,
  use: PictureUse,
  file: string,
  width: number | undefined,
): PictureWish {
  return { file, width: chooseWidth(width, use), format: chooseFormat(headers.accept, use) }
}

/** A name stands for the same bytes for ever, so a browser may keep them; others may not, for the gate's sake. */
export function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { width, format }: PictureWish,
  picture: StoredPicture,
): FastifyReply {
  const tag = `${picture.etag}-${width}-${format}`
  reply.headers({
    'Cache-Control': 'private, max-age=2592000, immutable',
    Vary: 'Accept',
    ETag: `"${tag}"`,
    'X-Content-Type-Options': 'nosniff',
  })
  const asked = request.headers['if-none-match']
  if (asked !== undefined && matchesTag(asked, tag)) return reply.code(304).send()
  return reply.type(`image/${format}`).send(picture.bytes)
}
