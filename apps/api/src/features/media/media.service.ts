import { type CalendarDate, formatEditionKey } from '@tidings/contracts/edition-key'
import { LRUCache } from 'lru-cache'
import {
  type PictureEncoder,
  type PictureFormat,
  type PictureUse,
  UnreadablePictureError,
} from '#integrations/pictures/picture-encoder.ts'
import type { MediaStore, StoredPicture } from '#integrations/storage/media-store.ts'
import type { Cache } from '#platform/cache/cache.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Database, Db } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Ids } from '#platform/ids.ts'
import { createMedia, findMedia, listOfArticles, listOfEdition, type MediaRow } from './media.repository.ts'

type Deps = {
  database: Database
  store: MediaStore
  encoder: PictureEncoder
  ids: Ids
  /** Which pictures are in use where; in step with every change. */
  used: Cache<ReadonlySet<string>>
}

export type PictureWish = { file: string; width: number; format: PictureFormat }

/** A picture that is encoded and stored, and not yet known to the database. */
export type NewPicture = Omit<MediaRow, 'createdAt'>

export type MediaService = {
  /** A picture that a memo of this published edition uses; throws `media-not-found`. */
  ofEdition(date: CalendarDate, slot: string, wish: PictureWish): Promise<StoredPicture>
  /** A picture that a published gated article uses; throws `media-not-found`. */
  ofArticles(wish: PictureWish): Promise<StoredPicture>
  /** Re-encodes and stores an upload under a new name; throws `invalid-file-type`, `invalid-file` or `service-busy`. */
  prepare(upload: Uint8Array, use: PictureUse, file?: string): Promise<NewPicture>
  /** Makes a prepared picture known; in the transaction of the change it belongs to. */
  record(tx: Db, picture: NewPicture): Promise<MediaRow>
  /** Takes a prepared picture away again, when its change did not happen. */
  discard(picture: Pick<NewPicture, 'file'>): Promise<void>
  /** A stored picture, whoever uses it; throws `media-not-found`. */
  open(wish: PictureWish): Promise<StoredPicture>
  /** Throws `invalid-request` unless there is such a picture. */
  require(tx: Db, file: string | null | undefined): Promise<void>
}

const picturesInMemoryBytes = 48_000_000

export function createMediaService({ database, store, encoder, ids, used }: Deps): MediaService {
  // A picture's bytes never change under its name, so they need no freshness, only room.
  const inMemory = new LRUCache<string, StoredPicture>({
    maxSize: picturesInMemoryBytes,
    sizeCalculation: ({ bytes }) => bytes.byteLength + 200,
  })

  async function open({ file, width, format }: PictureWish): Promise<StoredPicture> {
    const name = `${file} ${width} ${format}`
    const known = inMemory.get(name)
    if (known !== undefined) return known
    const picture = await store.open(file, width, format)
    if (picture === null) throw new MediaNotFoundError()
    inMemory.set(name, picture)
    return picture
  }

  async function usedUnder(key: string, list: () => Promise<string[]>): Promise<ReadonlySet<string>> {
    return used.peek(key) ?? (await used.load(key, async () => new Set(await list())))
  }

  return {
    open,
    async ofEdition(date, slot, wish) {
      const key = cacheKeys.edition(formatEditionKey(date, slot))
      const files = await usedUnder(key, () => listOfEdition(database.db, { date, slot }))
      if (!files.has(wish.file)) throw new MediaNotFoundError()
      return await open(wish)
    },
    async ofArticles(wish) {
      const files = await usedUnder(cacheKeys.articlePictures, () => listOfArticles(database.db))
      if (!files.has(wish.file)) throw new MediaNotFoundError()
      return await open(wish)
    },
    async prepare(upload, use, file = ids.pictureFile()) {
      const { width, height, variants } = await encoder.encode(upload, use).catch(refuseUnreadable)
      await store.save(file, variants)
      return { file, width, height, bytes: upload.byteLength }
    },
    record: createMedia,
    discard: ({ file }) => store.remove(file),
    async require(tx, file) {
      if (file == null || (await findMedia(tx, file)) !== null) return
      throw new AppError(
        'invalid-request',
        400,
        'media: there is no picture of this name; POST /desk/v1/media answers one.',
      )
    },
  }
}

class MediaNotFoundError extends AppError {
  constructor() {
    super('media-not-found', 404, 'There is no such picture here.')
  }
}

function refuseUnreadable(error: unknown): never {
  if (!(error instanceof UnreadablePictureError)) throw error
  const code = error.problem === 'unknown-format' ? 'invalid-file-type' : 'invalid-file'
  throw new AppError(code, error.problem === 'unknown-format' ? 415 : 400, error.message)
}
