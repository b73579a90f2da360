import type { PictureFormat, PictureVariant } from '../pictures/picture-encoder.ts'

/** One stored file of a picture. `etag` changes with the bytes; it carries no quotes of its own. */
export type StoredPicture = { bytes: Buffer; etag: string }

/** Keeps the files of pictures, under names of the form that the contracts call a media file: `….jpg`. */
export type MediaStore = {
  /** Keeps all variants or none of them. Throws on a name of another form, and when there is no room. */
  save(file: string, variants: readonly PictureVariant[]): Promise<void>
  /** One variant; null when the store has none of that name, width (in pixels) and format. */
  open(file: string, width: number, format: PictureFormat): Promise<StoredPicture | null>
  /** Forgets a picture; one that is not there is no error. */
  remove(file: string): Promise<void>
}
