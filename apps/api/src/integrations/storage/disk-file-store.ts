import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { orWhenMissing } from '#platform/system-errors.ts'
import { flushFolder, writeFlushed } from './disk-files.ts'
import type { FileStore } from './file-store.ts'

const nameForm = /^[a-z0-9]{16,64}\.[a-z]{3}$/

/** Stores files in a folder. They are renamed into place, so that after a crash a file is complete or absent. */
export function createDiskFileStore(folder: string): FileStore {
  function placeOf(name: string): string {
    if (!nameForm.test(name)) throw new Error(`Invalid file name ${JSON.stringify(name)}.`)
    return path.join(folder, name)
  }

  return {
    async save(name, bytes) {
      const place = placeOf(name)
      await mkdir(folder, { recursive: true })
      const aside = await mkdtemp(path.join(folder, 'incoming-'))
      try {
        await writeFlushed(path.join(aside, name), bytes)
        await rename(path.join(aside, name), place)
        await flushFolder(folder)
      } finally {
        await rm(aside, { recursive: true, force: true })
      }
    },

    async find(name) {
      return await orWhenMissing(readFile(placeOf(name)), null)
    },

    async removeStoredBefore(time) {
      for (const name of await orWhenMissing(readdir(folder), [])) {
        const place = path.join(folder, name)
        const stored = await orWhenMissing(stat(place), null)
        if (stored !== null && stored.mtime < time) await rm(place, { recursive: true, force: true })
      }
    },
  }
}
