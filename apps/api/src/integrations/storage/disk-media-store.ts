import { mkdir, mkdtemp, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasErrorCode, orWhenMissing } from '#platform/system-errors.ts'
import type { PictureFormat } from '../pictures/picture-encoder.ts'
import { flushFolder, writeFlushed } from './disk-files.ts'
import type { MediaStore, StoredPicture } from './media-store.ts'
import { newestOf } from './newest.ts'
import { parseKeyOfVariant, variantFolder } from './variant-keys.ts'

/**
 * Stores pictures as `<first two letters>/<name>/<width>.<format>`. Variants are written to a temporary folder, flushed
 * and renamed at once, so that after a crash a picture is complete or absent.
 */
export function createDiskMediaStore(folder: string): MediaStore {
  /** Returns the folder of a picture; null for an invalid name, so that callers cannot choose a path. */
  function placeOf(file: string): string | null {
    const place = variantFolder(file)
    return place === null ? null : join(folder, place)
  }

  return {
    async save(file, variants) {
      const place = placeOf(file)
      if (!place) throw new Error(`Invalid picture name ${JSON.stringify(file)}.`)
      await mkdir(dirname(place), { recursive: true })
      const aside = await mkdtemp(join(folder, 'incoming-'))
      try {
        for (const variant of variants) await writeFlushed(join(aside, nameOf(variant)), variant.bytes)
        await flushFolder(aside)
        await putInPlace(aside, place)
        await flushFolder(dirname(place))
      } finally {
        await rm(aside, { recursive: true, force: true })
      }
    },

    async open(file, width, format) {
      const place = placeOf(file)
      if (!place || !Number.isSafeInteger(width)) return null
      return await orWhenMissing(readStored(join(place, nameOf({ width, format }))), null)
    },

    async remove(file) {
      const place = placeOf(file)
      if (place) await rm(place, { recursive: true, force: true })
    },

    async *list() {
      for (const letters of (await orWhenMissing(readdir(folder), [])).sort()) {
        if (!/^[a-z0-9]{2}$/.test(letters)) continue
        for (const name of (await readdir(join(folder, letters))).sort()) {
          for (const variant of (await orWhenMissing(readdir(join(folder, letters, name)), [])).sort()) {
            const key = `${letters}/${name}/${variant}`
            const parsed = parseKeyOfVariant(key)
            const found = parsed === null ? null : await orWhenMissing(stat(join(folder, key)), null)
            if (parsed !== null && found !== null) yield { ...parsed, storedAt: found.mtime }
          }
        }
      }
    },

    async lastStored(file) {
      const place = placeOf(file)
      const names = place === null ? [] : await orWhenMissing(readdir(place), [])
      const times = names.map((name) => orWhenMissing(stat(join(place ?? '', name)), null))
      return newestOf((await Promise.all(times)).flatMap((found) => (found === null ? [] : [found.mtime])))
    },

    async check() {
      await mkdir(folder, { recursive: true })
    },
  }
}

function nameOf({ width, format }: { width: number; format: PictureFormat }): string {
  return `${width}.${format}`
}

async function readStored(path: string): Promise<StoredPicture> {
  await using file = await open(path, 'r')
  const { size, mtimeMs } = await file.stat()
  return { bytes: await file.readFile(), etag: `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}` }
}

/** Moves a finished folder to its place. Replaces an older copy of the picture file by file. */
async function putInPlace(aside: string, place: string): Promise<void> {
  try {
    await rename(aside, place)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error
    for (const name of await readdir(aside)) await rename(join(aside, name), join(place, name))
    await rmdir(aside)
  }
}
