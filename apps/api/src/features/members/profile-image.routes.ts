import multipart from '@fastify/multipart'
import { limits } from '@tidings/contracts/limits'
import { removeProfileImage, setProfileImage } from '@tidings/contracts/membership/members'
import { profilePicture } from '@tidings/contracts/pictures'
import type { FastifyRequest } from 'fastify'
import { pictureRequestOf, sendPicture } from '#features/media/index.ts'
import type { App } from '#http/app-type.ts'
import { discardUpload } from '#http/connections/discard-upload.ts'
import { register } from '#http/endpoints/register.ts'
import { sessionOf } from '#http/membership/member-session.ts'
import { withMessage } from '#http/membership/membership.ts'
import type { UploadedFile, UploadSpool } from '#integrations/storage/upload-spool.ts'
import { AppError } from '#platform/errors.ts'
import { hasErrorCode } from '#platform/system-errors.ts'
import { fail } from './members.errors.ts'
import type { MemberService } from './members.service.ts'

type Images = Pick<MemberService, 'images'>

export function registerProfileImageRoutes(
  parent: App,
  { images, uploads }: Images & { uploads: UploadSpool },
): void {
  parent.register(async (app: App) => {
    const uploadLimits = { fileSize: limits.profileImageBytes, files: 1, fields: 10, parts: 11 }
    await app.register(multipart, { limits: uploadLimits })

    register(app, setProfileImage, async (request) => {
      const owner = { memberId: sessionOf(request).memberId, ip: request.ip }
      const upload = images.set(owner, () => readProfileImage(request, uploads))
      const profileImage = await upload.catch(async (error: unknown) => {
        await discardUpload(request)
        throw error
      })
      const message = 'Your profile image is saved.'
      return withMessage({ profileImage }, message)
    })

    register(app, removeProfileImage, async (request) => {
      await images.remove(sessionOf(request).memberId)
      const message = 'Your profile image is removed.'
      return withMessage({ profileImage: null }, message)
    })
  })
}

/** Serves profile images to any page that knows the URL: outside the gate, and independent of apps. */
export function registerProfileImageFiles(app: App, { members }: { members: Images }): void {
  register(app, profilePicture, async (request, reply) => {
    const wanted = pictureRequestOf(request, 'profile', request.params.file, request.query.w)
    const picture = await members.images.open(wanted)
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    return sendPicture(request, reply, wanted, picture)
  })
}

/** Returns the form's file. On an error, the caller must drain the rest of the request. */
async function readProfileImage(request: FastifyRequest, uploads: UploadSpool): Promise<UploadedFile> {
  try {
    const file = await request.file({ throwFileSizeLimit: false })
    if (file === undefined || file.fieldname !== 'profileImage') throw fail('required-field-missing')
    if (!file.mimetype.includes('image')) throw fail('invalid-file-type')
    await using received = new AsyncDisposableStack()
    const upload = received.use(await uploads.receive(file.file))
    if (file.file.truncated) throw fail('file-size-too-large')
    received.move()
    return upload
  } catch (error) {
    // The error handler has a text for requests that are no multipart form.
    const isOtherType = hasErrorCode(error, 'FST_INVALID_MULTIPART_CONTENT_TYPE')
    throw error instanceof AppError || isOtherType ? error : fail('invalid-file', error)
  }
}
