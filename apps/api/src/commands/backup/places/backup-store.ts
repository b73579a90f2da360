import type { Readable } from 'node:stream'

/** A place of backups: a folder or a bucket. */
export type BackupStore = {
  kind: 'folder' | 'bucket'
  /** Returns how the operator names a backup of this place. */
  addressOf(name: string): string
  /** Lists complete backups, the newest first. */
  list(): Promise<string[]>
  /** Returns the size of a backup in bytes; null if there is none of this name. */
  sizeOf(name: string): Promise<number | null>
  /** Returns the free bytes; null if there is no limit that can be known. */
  freeBytes(): Promise<number | null>
  /** Deletes what killed backups have left. Returns their names. */
  removeLeftovers(): Promise<string[]>
  /** Stores a backup whole or not at all. Returns its size. */
  write(name: string, content: Readable): Promise<number>
  open(name: string): Promise<Readable>
  remove(name: string): Promise<void>
}
