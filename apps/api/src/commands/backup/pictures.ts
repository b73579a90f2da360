import { buffer } from 'node:stream/consumers'
import type { Config } from '#config/config.ts'
import { createBucketStore, createFolderStore } from '#context/stores.ts'
import { keyOfVariant, parseKeyOfVariant } from '#integrations/storage/variant-keys.ts'

/** The pictures of a site, by names with slashes. A picture never changes under its name. */
export type Pictures = ReturnType<typeof openPictures>

/** Opens the pictures of a site: in its folder or its bucket. */
export function openPictures(config: Config) {
  const { bucket } = config.media
  const store = bucket === null ? createFolderStore(config) : createBucketStore(bucket)

  return {
    async *list(): AsyncIterable<string> {
      for await (const variant of store.list()) {
        const name = keyOfVariant(variant)
        if (name !== null) yield name
      }
    },

    /** Returns a picture; null if it was deleted meanwhile. */
    async read(name: string): Promise<Uint8Array | null> {
      const variant = parseKeyOfVariant(name)
      if (variant === null) return null
      return (await store.open(variant.file, variant.width, variant.format))?.bytes ?? null
    },

    /** Stores a picture whole or not at all. Returns false if the name is none of a picture. */
    async write(name: string, content: AsyncIterable<Uint8Array>): Promise<boolean> {
      const variant = parseKeyOfVariant(name)
      if (variant === null) return false
      await store.save(variant.file, [{ ...variant, bytes: await buffer(content) }])
      return true
    },
  }
}
