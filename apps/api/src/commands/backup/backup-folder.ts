import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { orWhenMissing } from '#platform/system-errors.ts'

/** Where backups are kept. */
export type BackupStore = {
  /** Lists complete backups, the newest first. */
  list(): Promise<string[]>
  /** Stores a backup whole or not at all. Returns its size. */
  write(name: string, content: Readable): Promise<number>
  open(name: string): Promise<Readable>
  remove(name: string): Promise<void>
}

const nameForm = /^tidings-\d{8}T\d{6}Z\.tar(\.age)?$/

/** Returns the name of a backup, whose order is that of time. */
export function backupName(at: Date, { isEncrypted }: { isEncrypted: boolean }): string {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `tidings-${time}.tar${isEncrypted ? '.age' : ''}`
}

/** Opens a folder of backups. */
export function openBackupFolder(folder: string): BackupStore {
  return {
    async list() {
      const names = await orWhenMissing(readdir(folder), [])
      return names
        .filter((name) => nameForm.test(name))
        .sort()
        .reverse()
    },
    async write(name, content) {
      await mkdir(folder, { recursive: true })
      const partial = path.join(folder, `${name}.partial`)
      try {
        // Members' data is for the operator only.
        await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }))
        const { size } = await stat(partial)
        await rename(partial, path.join(folder, name))
        await flushFolder(folder)
        return size
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async open(name) {
      await stat(path.join(folder, name))
      return createReadStream(path.join(folder, name))
    },
    remove: (name) => rm(path.join(folder, name)),
  }
}

async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}
