import { statfs } from 'node:fs/promises'

export type Disk = { freeBytes: number; sizeBytes: number }

/** Reads the disk of a folder: its size, and what this process may still use. */
export async function readDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}
