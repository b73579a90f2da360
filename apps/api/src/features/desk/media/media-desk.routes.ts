import multipart from '@fastify/multipart'
import { deskMedia } from '@tidings/contracts/desk/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import { paths } from '@tidings/contracts/paths'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { discardUpload } from '#http/connections/discard-upload.ts'
import { AppError } from '#platform/errors.ts'
import { fail, pictureSize } from '../desk.errors.ts'
import { deskRoute } from '../requests/desk-route.ts'
import type { MediaDesk } from './media-desk.service.ts'

export async function registerMediaDesk(app: App, desk: MediaDesk): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: limits.deskPictureBytes, files: 1, fields: 1, fieldSize: 1_000, parts: 2 },
  })

  deskRoute(app, {
    method: 'POST',
    url: paths.desk.media,
    tag: 'Desk: pictures',
    summary: 'Stores a picture and returns the file name to use',
    description: `One file of a multipart form: JPEG, PNG, WebP, AVIF, HEIC or GIF, at most ${pictureSize} and ${limits.deskPictureMegapixels} megapixels. It is scaled down and encoded again at three widths: upright, in sRGB, without metadata, and on white where it was transparent.`,
    scope: 'write',
    response: {
      201: dataOf(deskMedia),
      413: describedError(`The file is larger than ${pictureSize}`),
      415: describedError('The file is not a picture in a supported format'),
    },
    upload: { consumes: ['multipart/form-data'], read: readUpload },
    run: ({ requester, upload }) => desk.upload(requester, upload),
  })
}

/** Returns the only file of a form, under any field name. Throws `invalid-file` for other forms. */
async function readUpload(request: FastifyRequest): Promise<Buffer> {
  const files: Buffer[] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') throw fail('invalid-file', 'The form has a text field.')
      files.push(await part.toBuffer())
    }
  } catch (error) {
    await discardUpload(request)
    const code = codeOf(error)
    // The error handler has a text for requests that are no multipart form.
    if (error instanceof AppError || code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') throw error
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw fail('file-size-too-large', error)
    throw fail(
      'invalid-file',
      code.endsWith('_LIMIT') ? 'The form has several parts.' : 'The form is incomplete.',
      error,
    )
  }
  const [file] = files
  if (file === undefined) throw fail('invalid-file', 'The form has no file.')
  return file
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
