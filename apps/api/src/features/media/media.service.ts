import { type CalendarDate, formatEditionKey } from '@tidings/contracts/edition-key'
import { LRUCache } from 'lru-cache'
import {
  keptAs,
  type PictureEncoder,
  type PictureFormat,
  type PictureProblem,
  type PictureUse,
  UnreadablePictureError,
} from '#integrations/pictures/picture-encoder.ts'
import type { MediaStore, StoredPicture } from '#integrations/storage/media-store.ts'
import type { UploadedFile } from '#integrations/storage/upload-spool.ts'
import type { Cache } from '#platform/cache/cache.ts'
import { createWhileClaimed } from '#platform/claims/while-claimed.ts'
import type { Db } from '#platform/database.ts'
import { invalidField } from '#platform/fields.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { editionCacheKeys } from '../editions/index.ts'
import { fail } from './media.errors.ts'
import {
  createMedia,
  listOfArticles,
  listOfEdition,
  lockMedia,
  type MediaRow,
  renewMedia,
} from './media.repository.ts'
import { createPictureNames } from './picture-names.ts'
import { hasTransparency } from './transparency.ts'
import { createUnreferencedRemoval } from './unreferenced-pictures.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids' | 'logger'> & {
  store: MediaStore
  encoder: PictureEncoder
  /** Derives the key of the names. */
  secret: string
  /** The files that an edition or the articles show, by cache key. */
  used: Cache<ReadonlySet<string>>
}

export type PictureRequest = { file: string; width: number; format: PictureFormat }

/** A stored variant with its format, which can differ from the requested one. */
export type ServedPicture = StoredPicture & { format: PictureFormat }

/** A stored picture. */
export type NewPicture = Omit<MediaRow, 'createdAt'>

/** An upload: a spooled file, or its bytes. */
export type PictureUpload = Uint8Array | UploadedFile

/** The cache key of the pictures that gated articles use. */
export const articlePicturesCacheKey = 'article-pictures'

const cachedBytes = 48_000_000

export type MediaService = ReturnType<typeof createMediaService>

/** Stores uploaded pictures and serves those that something published shows. */
export function createMediaService(deps: Deps) {
  const { database, clock, store, encoder, ids, used, secret } = deps
  const whileClaimed = createWhileClaimed(deps)
  const nameOf = createPictureNames(secret)
  // The bytes under a file name never change, so entries are evicted for space only.
  const cache = new LRUCache<string, ServedPicture>({
    maxSize: cachedBytes,
    sizeCalculation: ({ bytes }) => bytes.byteLength + 200,
  })

  /** Returns a stored picture, published or not. Throws `media-not-found`. */
  async function open({ file, width, format }: PictureRequest): Promise<ServedPicture> {
    const key = `${file} ${width} ${format}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const picture = await openOpaque(file, width, format)
    if (picture === null) throw fail('media-not-found')
    cache.set(key, picture)
    return picture
  }

  /** Opens a variant. Those stored with transparency give way to the JPEG, which has always been on white. */
  async function openOpaque(
    file: string,
    width: number,
    format: PictureFormat,
  ): Promise<ServedPicture | null> {
    const picture = await store.open(file, width, format)
    if (picture !== null && hasTransparency(picture.bytes, format)) {
      return await openOpaque(file, width, 'jpeg')
    }
    return picture === null ? null : { ...picture, format }
  }

  async function openUsed(
    key: string,
    list: () => Promise<string[]>,
    request: PictureRequest,
  ): Promise<ServedPicture> {
    const files = used.peek(key) ?? (await used.load(key, async () => new Set(await list())))
    if (!files.has(request.file)) throw fail('media-not-found')
    return await open(request)
  }

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

  return {
    open,
    /** Returns a picture that a memo of this published edition shows. Throws `media-not-found`. */
    async ofEdition(date: CalendarDate, slot: string, request: PictureRequest): Promise<ServedPicture> {
      const key = editionCacheKeys.edition(formatEditionKey(date, slot))
      return await openUsed(key, () => listOfEdition(database.db, { date, slot }), request)
    },
    /** Returns a picture that a published article shows. Throws `media-not-found`. */
    async ofArticles(request: PictureRequest): Promise<ServedPicture> {
      return await openUsed(articlePicturesCacheKey, () => listOfArticles(database.db), request)
    },
    /**
     * Encodes and stores an upload, once for each content of an editor, whichever process gets it. Throws `invalid-file-type`,
     * `unsupported-media-type`, `invalid-file`, `service-busy` or `service-unavailable`.
     */
    async prepare(
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
    },
    /** Deletes the pictures that nothing shows. Returns how many. */
    removeUnreferenced: createUnreferencedRemoval({ ...deps, whileClaimed }),
    /** Deletes a picture of a member. Those of editors stay: another upload may have the same content. */
    async discard({ file }: { file: string }): Promise<void> {
      await store.remove(file)
    },
    /** Throws `invalid-request` unless the picture was uploaded. */
    async require(tx: Db, file: string | null | undefined): Promise<void> {
      if (file == null || (await lockMedia(tx, file))) return
      throw invalidField('media', 'no picture has this name. Upload it with POST /desk/v1/media.')
    },
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
