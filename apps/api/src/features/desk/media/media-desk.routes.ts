import multipart from '@fastify/multipart'
import { deskMedia } from '@tidings/contracts/desk'
import { dataOf } from '@tidings/contracts/envelope'
import { describedError } from '@tidings/contracts/errors'
import { limits } from '@tidings/contracts/limits'
import { paths } from '@tidings/contracts/paths'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { letPast } from '#http/let-past.ts'
import { AppError } from '#platform/errors.ts'
import { askerOf, editorOf, sendDeskReply } from '../asker.ts'
import { deskErrors, idempotencyHeader, secured } from '../desk-document.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import type { MediaDesk } from './media-desk.service.ts'

/** Uploads at the desk. */
export async function registerMediaDesk(app: App, { desk }: { desk: MediaDesk }): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: limits.imageBytes, files: 1, fields: 1, fieldSize: 1_000, parts: 2 },
  })

  app.post(
    paths.desk.media,
    {
      config: { access: 'editor' },
      // Room for the form around the file.
      bodyLimit: limits.imageBytes + 200_000,
      schema: {
        tags: ['Desk: pictures'],
        security: secured,
        summary: 'Keeps a picture and answers the file name to use',
        description:
          'One file of a multipart form: JPEG, PNG, WebP, AVIF or GIF, at most 4,000,000 bytes. It is encoded anew at three widths, without metadata.',
        consumes: ['multipart/form-data'],
        headers: idempotencyHeader,
        response: {
          201: dataOf(deskMedia),
          ...deskErrors,
          413: describedError('The file is larger than 4,000,000 bytes'),
          415: describedError('The file is no picture of a kind that is taken'),
        },
      },
    },
    async (request, reply) => {
      requireScope(editorOf(request), 'write')
      const bytes = await readUpload(request)
      return sendDeskReply(reply, await desk.upload(askerOf(request, bytes), bytes))
    },
  )
}

// The error handler has words for these.
const ownWords = new Set(['FST_REQ_FILE_TOO_LARGE', 'FST_INVALID_MULTIPART_CONTENT_TYPE'])

/** The one file of a form, whatever its field is called; throws `invalid-file` for any other form. */
async function readUpload(request: FastifyRequest): Promise<Buffer> {
  const files: Buffer[] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') throw oneFileExpected('The form has a field.')
      files.push(await part.toBuffer())
    }
  } catch (error) {
    await letPast(request)
    const code = codeOf(error)
    if (error instanceof AppError || ownWords.has(code)) throw error
    throw oneFileExpected(code.endsWith('_LIMIT') ? 'The form has more.' : 'The form breaks off.', error)
  }
  const [file] = files
  if (file === undefined) throw oneFileExpected('The form has none.')
  return file
}

function oneFileExpected(found: string, cause?: unknown): AppError {
  const message = `${found} Send one file in a multipart form, such as -F file=@picture.jpg`
  return new AppError('invalid-file', 400, message, { cause })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
