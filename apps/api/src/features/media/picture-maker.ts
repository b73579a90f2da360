import {
  keptAs,
  type PictureEncoder,
  type PictureProblem,
  type PictureUse,
  UnreadablePictureError,
} from '#integrations/pictures/picture-encoder.ts'
import type { MediaStore } from '#integrations/storage/media-store.ts'
import type { UploadedFile } from '#integrations/storage/upload-spool.ts'
import type { WhileClaimed } from '#platform/claims/while-claimed.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from './media.errors.ts'
import { createMedia, type MediaRow, renewMedia } from './media.repository.ts'
import { createPictureNames } from './picture-names.ts'

export type PictureMakerDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & {
  store: MediaStore
  encoder: PictureEncoder
  whileClaimed: WhileClaimed
  /** Derives the key of the names. */
  secret: string
}

/** A stored picture. */
export type NewPicture = Omit<MediaRow, 'createdAt'>

/** An upload: a temporary file, or its bytes. */
export type PictureUpload = Uint8Array | UploadedFile

/** Creates what makes stored pictures of uploads. */
export function createPictureMaker(deps: PictureMakerDeps) {
  const { database, clock, store, encoder, ids, whileClaimed, secret } = deps
  const nameOf = createPictureNames(secret)

  /** Returns a picture that was uploaded before, if its files are still there. */
  async function findStored(file: string): Promise<NewPicture | null> {
    const row = await renewMedia(database.db, file, clock.now())
    if (row === null) return null
    const isStored = (await store.open(file, Math.max(...keptAs.editorial.widths), 'jpeg')) !== null
    const { width, height, bytes } = row
    return isStored ? { file, width, height, bytes } : null
  }

  async function make(upload: PictureUpload, use: PictureUse, file: string): Promise<NewPicture> {
    const { width, height, variants } = await encoder.encode(upload, use).catch(throwUnreadable)
    await store.save(file, variants)
    return { file, width, height, bytes: sizeOf(upload) }
  }

  /**
   * Encodes and stores an upload, once for each content of an editor, whichever process gets it. Throws
   * `invalid-file-type`, `unsupported-media-type`, `invalid-file`, `service-busy` or `service-unavailable`.
   */
  return async function prepare(
    upload: PictureUpload,
    use: PictureUse,
    // A member's picture has a name of its own, so that it can be deleted.
    file = use === 'editorial' ? nameOf(hashOf(upload)) : `${ids.name()}.jpg`,
  ): Promise<NewPicture> {
    if (use === 'profile') return await make(upload, use, file)
    const known = await findStored(file)
    if (known !== null) return known
    return await whileClaimed(file, async () => {
      // Another process may have made it just before.
      const made = await findStored(file)
      if (made !== null) return made
      const picture = await make(upload, use, file)
      await createMedia(database.db, { ...picture, createdAt: clock.now() })
      return picture
    })
  }
}

function hashOf(upload: PictureUpload): string {
  return upload instanceof Uint8Array ? sha256(upload) : upload.hash
}

function sizeOf(upload: PictureUpload): number {
  return upload instanceof Uint8Array ? upload.byteLength : upload.bytes
}

const codes: Partial<Record<PictureProblem, 'invalid-file-type' | 'unsupported-media-type'>> = {
  'unknown-format': 'invalid-file-type',
  'unreadable-heic': 'unsupported-media-type',
}

function throwUnreadable(error: unknown): never {
  if (!(error instanceof UnreadablePictureError)) throw error
  throw fail(codes[error.problem] ?? 'invalid-file', error.message)
}
