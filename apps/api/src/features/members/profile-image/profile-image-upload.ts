import type { FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors.ts'
import { ImageTooLargeError, NotAnImageError } from '../members.errors.ts'

const field = 'profileImage'
// The error handler has words for it.
const noForm = 'FST_INVALID_MULTIPART_CONTENT_TYPE'

/**
 * The bytes of the form's file `profileImage`. Throws for another form, a file that is no image, and one too large; the
 * rest of the request is the caller's to let past then.
 */
export async function readProfileImage(request: FastifyRequest): Promise<Buffer> {
  try {
    const file = await request.file({ throwFileSizeLimit: false })
    if (file === undefined || file.fieldname !== field) {
      throw new AppError('required-field-missing', 400, `Send the picture as the field '${field}'.`)
    }
    if (!file.mimetype.includes('image')) throw new NotAnImageError()
    const upload = await file.toBuffer()
    if (file.file.truncated) throw new ImageTooLargeError()
    return upload
  } catch (error) {
    if (error instanceof AppError || codeOf(error) === noForm) throw error
    const message = `The form cannot be read. Send the picture alone, as the field '${field}'.`
    throw new AppError('invalid-file', 400, message, { cause: error })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
