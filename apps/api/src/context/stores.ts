import path from 'node:path'
import type { Config } from '../config/config.ts'
import { decodePicture } from '../integrations/pictures/decode-picture.ts'
import { createCachedMediaStore } from '../integrations/storage/cached-media-store.ts'
import { createDiskFileStore } from '../integrations/storage/disk-file-store.ts'
import { createDiskMediaStore } from '../integrations/storage/disk-media-store.ts'
import type { FileStore } from '../integrations/storage/file-store.ts'
import type { MediaStore } from '../integrations/storage/media-store.ts'
import { createBucket } from '../integrations/storage/s3/bucket.ts'
import { createLargeObjects } from '../integrations/storage/s3/large-objects.ts'
import { createS3FileStore } from '../integrations/storage/s3/s3-file-store.ts'
import { createS3MediaStore } from '../integrations/storage/s3/s3-media-store.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { ContextOverrides } from './overrides.ts'

type Stores = { store: MediaStore; pdfStore: FileStore }
type BucketConfig = NonNullable<Config['media']['bucket']>

/** Creates the stores of pictures and PDFs: folders, or a bucket with a cache of pictures. */
export function createStores(
  { config, logger }: Pick<Infrastructure, 'config' | 'logger'>,
  overrides: ContextOverrides,
): Stores {
  const { bucket: bucketConfig, cacheMegabytes } = config.media
  if (bucketConfig === null) {
    return {
      store: overrides.store ?? createFolderStore(config),
      pdfStore: createDiskFileStore(path.join(config.dataDir, 'pdf')),
    }
  }
  const { location, keys } = bucketConfig
  const bucket = createBucket(location, keys)
  const cached = createCachedMediaStore(createS3MediaStore(bucket), {
    folder: path.join(config.dataDir, 'media-cache'),
    maxBytes: cacheMegabytes * 1_000_000,
    logger,
  })
  return { store: overrides.store ?? cached, pdfStore: createS3FileStore(bucket, 'pdf') }
}

/** Returns the store of pictures in a bucket, without a cache. */
export function createBucketStore({ location, keys }: BucketConfig): MediaStore {
  return createS3MediaStore(createBucket(location, keys))
}

/** Returns a bucket, and the reader and writer of its objects that are larger than memory. */
export function createLargeBucket({ location, keys }: BucketConfig) {
  return { bucket: createBucket(location, keys), objects: createLargeObjects(location, keys) }
}

/** Decodes a stored picture. Returns its size in pixels. */
export async function decodeStoredPicture(
  picture: Uint8Array,
  { heicDecoder }: Config['locations'],
): Promise<{ width: number; height: number }> {
  const { width, height } = await decodePicture(picture, 'editorial', heicDecoder)
  return { width, height }
}

/** Returns the store of pictures in the folder. */
export function createFolderStore(config: Config): MediaStore {
  return createDiskMediaStore(mediaFolderOf(config))
}

/** Returns the folder of pictures without a bucket. */
export function mediaFolderOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'media')
}
