import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#platform/system-errors.ts'

const probe = Buffer.alloc(65_536, 1)

/** Returns a function that writes and removes a file in the folder; it returns why that failed, or null. */
export function createFolderProbe(folder: string) {
  // One name for each process, because several may share the folder.
  const file = join(folder, `.write-check-${process.pid}`)
  return async (): Promise<string | null> => {
    try {
      await mkdir(folder, { recursive: true })
      await writeFile(file, probe)
      return null
    } catch (error) {
      return hasErrorCode(error, 'ENOSPC', 'EDQUOT')
        ? 'The disk of the media folder is full.'
        : 'The media folder is not writable.'
    } finally {
      await rm(file, { force: true }).catch(() => undefined)
    }
  }
}
