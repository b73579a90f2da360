import multipart from '@fastify/multipart'
import { uploadPicture } from '@tidings/contracts/desk/media'
import { limits } from '@tidings/contracts/limits'
import type { FastifyRequest } from 'fastify'
import type { App } from '#http/app-type.ts'
import { discardUpload } from '#http/connections/discard-upload.ts'
import type { UploadedFile, UploadSpool } from '#integrations/storage/upload-spool.ts'
import { AppError } from '#platform/errors.ts'
import { fail } from '../desk.errors.ts'
import { registerDesk } from '../requests/register-desk.ts'
import type { MediaDesk } from './media-desk.service.ts'

export async function registerMediaDesk(
  app: App,
  { mediaDesk, uploads }: { mediaDesk: MediaDesk; uploads: UploadSpool },
): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: limits.deskPictureBytes, files: 1, fields: 1, fieldSize: 1_000, parts: 2 },
  })

  registerDesk(
    app,
    uploadPicture,
    ({ requester, upload }) => {
      if (upload === null) throw fail('invalid-file', 'The form has no file.')
      return mediaDesk.upload(requester, upload)
    },
    {
      upload: (request) => readUpload(request, uploads),
    },
  )
}

/** Returns the only file of a form, under any field name; null without one. Throws `invalid-file` for other forms. */
async function readUpload(request: FastifyRequest, uploads: UploadSpool): Promise<UploadedFile | null> {
  await using received = new AsyncDisposableStack()
  let upload: UploadedFile | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') throw fail('invalid-file', 'The form has a text field.')
      upload = received.use(await uploads.receive(part.file))
      if (part.file.truncated) throw fail('file-size-too-large')
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
  received.move()
  return upload
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
