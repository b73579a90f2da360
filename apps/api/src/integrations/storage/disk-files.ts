import { open } from 'node:fs/promises'

/** Writes a new file, so that it survives a power cut. */
export async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, 'wx')
  await file.writeFile(bytes)
  await file.sync()
}

/** Makes the names in a folder survive a power cut. Windows flushes them itself and cannot open folders. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await using folder = await open(path, 'r')
  await folder.sync()
}
