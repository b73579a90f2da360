/** Stores files that can be made again, under names that tell their content. */
export type FileStore = {
  /** Stores a file whole or not at all. */
  save(name: string, bytes: Uint8Array): Promise<void>
  /** Returns a file; null if there is none. */
  find(name: string): Promise<Buffer | null>
  /** Deletes the files that were stored before a time. */
  removeStoredBefore(time: Date): Promise<void>
}
