import type { MediaService, PictureRequest, ServedPicture } from '#features/media/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { UploadedFile } from '#integrations/storage/upload-spool.ts'
import { hasCode } from '#platform/errors.ts'
import { fail } from './members.errors.ts'
import { profileImageUrl } from './members.mapper.ts'

type Deps = {
  media: MediaService
  rateLimits: RateLimits
  siteUrl: URL
  isUsed(file: string): Promise<boolean>
  /** Stores a member's file and returns the previous one. */
  replace(memberId: string, file: string | null): Promise<string | null>
}

// Other names are rejected without a query: Postgres accepts no NUL.
const fileName = /^[a-z0-9]{20,40}\.jpg$/

/** Creates the service of profile images: public, under names that cannot be guessed. */
export function createProfileImages({ media, rateLimits, siteUrl, isUsed, replace }: Deps) {
  async function discard(file: string | null): Promise<void> {
    if (file !== null) await media.discard({ file })
  }

  return {
    /** Replaces the image; returns its URL. Throws `too-many-requests` before it reads the upload. */
    async set(
      { memberId, ip }: { memberId: string; ip: string },
      readUpload: () => Promise<UploadedFile>,
    ): Promise<string> {
      await rateLimits.consume('networkProfileImages', ip)
      await rateLimits.consume('profileImages', memberId)
      await using upload = await readUpload()
      const picture = await media.prepare(upload, 'profile').catch((error: unknown) => {
        throw hasCode(error, 'invalid-file-type') ? fail('invalid-file-type', error) : error
      })
      const previous = await replace(memberId, picture.file).catch(async (error: unknown) => {
        await discard(picture.file)
        throw error
      })
      await discard(previous)
      return profileImageUrl(picture.file, siteUrl) ?? ''
    },

    async remove(memberId: string): Promise<void> {
      await discard(await replace(memberId, null))
    },

    /** Opens an image that a member uses; throws `media-not-found`. */
    async open(wanted: PictureRequest): Promise<ServedPicture> {
      if (!fileName.test(wanted.file) || !(await isUsed(wanted.file))) throw fail('media-not-found')
      return await media.open(wanted)
    },
  }
}
