import type { MediaService, PictureWish } from '#features/media/index.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { StoredPicture } from '#integrations/storage/media-store.ts'
import { AppError } from '#platform/errors.ts'
import { NotAnImageError } from '../members.errors.ts'
import { profileImageUrl } from '../members.mapper.ts'

export type ProfileImages = {
  /**
   * Reads an upload and keeps it re-encoded in place of the old one; returns its URL. Throws `too-many-requests`, before
   * anything is read, past the limit of the member or the network.
   */
  set(owner: { memberId: string; ip: string }, readUpload: () => Promise<Uint8Array>): Promise<string>
  remove(memberId: string): Promise<void>
  /** An image that some member shows; throws `media-not-found`. */
  open(wish: PictureWish): Promise<StoredPicture>
}

type Deps = {
  media: MediaService
  rateLimits: RateLimits
  siteUrl: URL
  isUsed(file: string): Promise<boolean>
  /** Puts a file in the place of the member's own; answers the one before. */
  replace(memberId: string, file: string | null): Promise<string | null>
}

// Nothing else is worth asking the database about, which takes no NUL.
const nameForm = /^[a-z0-9]{20,40}\.jpg$/

/** Profile images: under names that cannot be guessed, shown to anybody who has the name. */
export function createProfileImages({ media, rateLimits, siteUrl, isUsed, replace }: Deps): ProfileImages {
  async function forget(file: string | null): Promise<void> {
    if (file !== null) await media.discard({ file })
  }

  return {
    async set({ memberId, ip }, readUpload) {
      await rateLimits.consume('networkProfileImages', ip)
      await rateLimits.consume('profileImages', memberId)
      const picture = await media.prepare(await readUpload(), 'profile').catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'invalid-file-type'
          ? new NotAnImageError(error)
          : error
      })
      let before: string | null
      try {
        before = await replace(memberId, picture.file)
      } catch (error) {
        await forget(picture.file)
        throw error
      }
      await forget(before)
      return profileImageUrl(picture.file, siteUrl) ?? ''
    },
    async remove(memberId) {
      await forget(await replace(memberId, null))
    },
    async open(wish) {
      if (!nameForm.test(wish.file) || !(await isUsed(wish.file))) {
        throw new AppError('media-not-found', 404, 'There is no such picture here.')
      }
      return await media.open(wish)
    },
  }
}
