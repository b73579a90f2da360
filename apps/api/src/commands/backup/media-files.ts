import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { orWhenMissing } from '#platform/system-errors.ts'

/** The pictures of a site, by names with slashes. A picture never changes under its name. */
export type MediaFiles = {
  list(): AsyncIterable<string>
  /** Returns a file; null if it was deleted meanwhile. */
  read(name: string): Promise<{ size: number; content: AsyncIterable<Uint8Array> } | null>
  /** Stores a file whole or not at all. */
  write(name: string, content: AsyncIterable<Uint8Array>): Promise<void>
}

const nameForm = /^[a-z0-9]+(\/[a-z0-9]+)*\/[a-z0-9]+\.[a-z0-9]+$/

/** Opens the pictures in the folder of a site. */
export function openMediaFolder(folder: string): MediaFiles {
  async function* list(below: string): AsyncIterable<string> {
    const entries = await orWhenMissing(readdir(path.join(folder, below), { withFileTypes: true }), [])
    for (const entry of entries.sort((one, other) => one.name.localeCompare(other.name))) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) yield* list(name)
      // Uploads that are not finished, and files of others, have other names.
      else if (isMediaName(name)) yield name
    }
  }

  return {
    list: () => list(''),
    async read(name) {
      const file = path.join(folder, name)
      const found = await orWhenMissing(stat(file), null)
      return found === null ? null : { size: found.size, content: createReadStream(file) }
    },
    async write(name, content) {
      const file = path.join(folder, name)
      const aside = `${file}.incoming`
      await mkdir(path.dirname(file), { recursive: true })
      try {
        await using handle = await open(aside, 'w')
        for await (const chunk of Readable.from(content)) await handle.write(chunk)
        await handle.sync()
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
      await rename(aside, file)
    },
  }
}

export function isMediaName(name: string): boolean {
  return nameForm.test(name)
}
