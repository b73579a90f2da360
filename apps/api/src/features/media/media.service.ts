import { type CalendarDate, formatEditionKey } from '@tidings/contracts/edition-key'
import { LRUCache } from 'lru-cache'
import type { PictureFormat } from '#integrations/pictures/picture-encoder.ts'
import type { StoredPicture } from '#integrations/storage/media-store.ts'
import type { Cache } from '#platform/cache/cache.ts'
import { createWhileClaimed } from '#platform/claims/while-claimed.ts'
import type { Db } from '#platform/database.ts'
import { invalidField } from '#platform/fields.ts'
import type { Logger } from '#platform/logger.ts'
import { editionCacheKeys } from '../editions/index.ts'
import { fail } from './media.errors.ts'
import { listMedia, listOfArticles, listOfEdition, lockMedia, type MediaRow } from './media.repository.ts'
import { createPictureMaker, type PictureMakerDeps } from './picture-maker.ts'
import { hasTransparency } from './transparency.ts'
import { createUnreferencedRemoval } from './unreferenced-pictures.ts'

type Deps = Omit<PictureMakerDeps, 'whileClaimed'> & {
  logger: Logger
  /** The files that an edition or the articles show, by cache key. */
  used: Cache<ReadonlySet<string>>
}

export type PictureRequest = { file: string; width: number; format: PictureFormat }

/** A stored variant with its format, which can differ from the requested one. */
export type ServedPicture = StoredPicture & { format: PictureFormat }

/** The cache key of the pictures that gated articles use. */
export const articlePicturesCacheKey = 'article-pictures'

const cachedBytes = 48_000_000

export type MediaService = ReturnType<typeof createMediaService>

/** Stores uploaded pictures and serves those that something published shows. */
export function createMediaService(deps: Deps) {
  const { database, store, used } = deps
  const whileClaimed = createWhileClaimed(deps)
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
    prepare: createPictureMaker({ ...deps, whileClaimed }),
    /** Deletes the pictures that nothing shows. Returns how many. */
    removeUnreferenced: createUnreferencedRemoval({ ...deps, whileClaimed }),
    /** Deletes a picture of a member. Those of editors stay: another upload may have the same content. */
    async discard({ file }: { file: string }): Promise<void> {
      await store.remove(file)
    },
    /** Returns a picture's facts; null if no editor uploaded it. */
    async find(file: string): Promise<MediaRow | null> {
      const [row] = await listMedia(database.db, [file])
      return row ?? null
    },
    /** Lists the facts of those pictures that editors uploaded. */
    async list(files: readonly string[]): Promise<MediaRow[]> {
      return await listMedia(database.db, files)
    },
    /** Throws `invalid-request` unless the picture was uploaded. */
    async require(tx: Db, file: string | null | undefined): Promise<void> {
      if (file == null || (await lockMedia(tx, file))) return
      throw invalidField('media', 'no picture has this name. Upload it with POST /desk/v1/media.')
    },
  }
}
