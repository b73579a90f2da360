import { sha256 } from '#platform/ids.ts'
import type { StoredPicture } from './media-store.ts'

/** Returns the picture with an ETag that is the same on every host. */
export function pictureOf(bytes: Buffer): StoredPicture {
  return { bytes, etag: sha256(bytes).slice(0, 20) }
}
