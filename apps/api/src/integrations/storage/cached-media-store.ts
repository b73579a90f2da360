import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { randomIds } from '#platform/ids.ts'
import { lazily } from '#platform/lazily.ts'
import type { Logger } from '#platform/logger.ts'
import { orWhenMissing } from '#platform/system-errors.ts'
import { pictureOf } from './hashed-picture.ts'
import type { MediaStore, StoredPicture } from './media-store.ts'
import { keyOfVariant } from './variant-keys.ts'

type Options = { folder: string; maxBytes: number; logger: Logger }

/**
 * Returns a store that keeps what was opened or saved in a folder, the least recently used first to go. The bytes under
 * a name never change, so what is there is served while the store is away.
 */
export function createCachedMediaStore(store: MediaStore, { folder, maxBytes, logger }: Options): MediaStore {
  // Each process has an index of its own; processes that share the folder only delete what another would fetch again.
  const index = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => Math.max(bytes, 1),
    dispose: (_bytes, name, reason) => {
      if (reason === 'evict') void rm(path.join(folder, name), { force: true }).catch(() => undefined)
    },
  })

  const loadIndex = lazily(async () => {
    await mkdir(folder, { recursive: true })
    for (const name of await readdir(folder)) {
      const found = await orWhenMissing(stat(path.join(folder, name)), null)
      // Files of a killed process are in the index too, so that they are evicted.
      if (found !== null) index.set(name, found.size)
    }
  })

  /** Keeps bytes. A full disk only means that the store is asked again. */
  async function keep(name: string | null, bytes: Uint8Array): Promise<void> {
    if (name === null) return
    // Containers that share the folder have the same process id.
    const aside = path.join(folder, `.incoming-${randomIds.uuid()}`)
    try {
      await loadIndex()
      await writeFile(aside, bytes)
      await rename(aside, path.join(folder, name))
      index.set(name, bytes.byteLength)
    } catch (error) {
      await rm(aside, { force: true }).catch(() => undefined)
      logger.warn({ err: error }, 'picture cache failed')
    }
  }

  async function openCached(name: string): Promise<StoredPicture | null> {
    await loadIndex().catch(() => undefined)
    const bytes = await readFile(path.join(folder, name)).catch(() => null)
    if (bytes === null) {
      index.delete(name)
      return null
    }
    if (index.get(name) === undefined) index.set(name, bytes.byteLength)
    return pictureOf(bytes)
  }

  return {
    ...store,

    async save(file, variants) {
      await store.save(file, variants)
      for (const { width, format, bytes } of variants) await keep(nameOf(file, width, format), bytes)
    },

    async open(file, width, format) {
      const name = nameOf(file, width, format)
      if (name === null) return null
      const cached = await openCached(name)
      if (cached !== null) return cached
      const picture = await store.open(file, width, format)
      if (picture !== null) await keep(name, picture.bytes)
      return picture
    },

    async remove(file) {
      await store.remove(file)
      await loadIndex().catch(() => undefined)
      const prefix = `${file.replace(/\.jpg$/, '')}.`
      for (const name of [...index.keys()].filter((known) => known.startsWith(prefix))) {
        index.delete(name)
        await rm(path.join(folder, name), { force: true })
      }
    },
  }
}

function nameOf(file: string, width: number, format: 'avif' | 'webp' | 'jpeg'): string | null {
  const key = keyOfVariant({ file, width, format })
  return key === null ? null : key.slice(3).replace('/', '.')
}
