import type { Readable } from 'node:stream'
import { decrypt, type Unlock } from './encryption.ts'
import type { BackupStore } from './places/backup-store.ts'

/** A backup that is read, more than once. `name` is how the operator knows it. */
export type BackupSource = { name: string; open(): Promise<Readable> }

/** Returns a backup as a source, decrypted. */
export function sourceOf(store: BackupStore, name: string, unlock: Unlock): BackupSource {
  const address = store.addressOf(name)
  return { name: address, open: async () => await decrypt(await store.open(name), address, unlock) }
}
