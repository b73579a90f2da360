import type { PictureFormat, PictureVariant } from '../pictures/picture-encoder.ts'

/** The name of a stored variant. */
export type VariantName = { file: string; width: number; format: PictureFormat }

/** A variant in a list, and when it was stored last. */
export type ListedVariant = VariantName & { storedAt: Date }

/** A stored variant of a picture. `etag` changes with the bytes and has no quotes. */
export type StoredPicture = { bytes: Buffer; etag: string }

/** Stores the variants of pictures under media file names, `….jpg`. A store that is away throws `service-unavailable`. */
export type MediaStore = {
  /** Stores all variants, each whole. Throws for an invalid name or a full disk; then the picture must not be used. */
  save(file: string, variants: readonly PictureVariant[]): Promise<void>
  /** Returns a variant; null if there is none. */
  open(file: string, width: number, format: PictureFormat): Promise<StoredPicture | null>
  remove(file: string): Promise<void>
  /** Lists every stored variant, those of a picture one after another. */
  list(): AsyncIterable<ListedVariant>
  /** Returns when the newest variant of a picture was stored; null if there is none. */
  lastStored(file: string): Promise<Date | null>
  /** Throws if the store can't be read. */
  check(): Promise<void>
}
