import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { orWhenMissing } from '#platform/system-errors.ts'
import { isLeftover, newestFirst } from './backup-name.ts'
import type { BackupStore } from './backup-store.ts'

/** Opens a folder of backups. */
export function openBackupFolder(folder: string): BackupStore {
  const names = () => orWhenMissing(readdir(folder), [])
  const placeOf = (name: string) => path.join(folder, name)
  return {
    kind: 'folder',
    addressOf: placeOf,
    list: async () => newestFirst(await names()),
    async sizeOf(name) {
      return (await orWhenMissing(stat(placeOf(name)), null))?.size ?? null
    },
    async freeBytes() {
      await mkdir(folder, { recursive: true })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async removeLeftovers() {
      const leftovers = (await names()).filter(isLeftover)
      for (const name of leftovers) await rm(placeOf(name), { force: true })
      return leftovers
    },
    async write(name, content) {
      await mkdir(folder, { recursive: true })
      const partial = placeOf(`${name}.partial`)
      try {
        // Members' data is for the operator only.
        await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }))
        const { size } = await stat(partial)
        await rename(partial, placeOf(name))
        await flushFolder(folder)
        return size
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async open(name) {
      await stat(placeOf(name))
      return createReadStream(placeOf(name))
    },
    remove: (name) => rm(placeOf(name)),
  }
}

async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}
