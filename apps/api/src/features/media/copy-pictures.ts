import type { MediaStore, VariantName } from '#integrations/storage/media-store.ts'
import { sha256 } from '#platform/ids.ts'

/** How far a copy is. `unchanged` files were there already, with the same bytes. */
export type CopyProgress = { files: number; copied: number; unchanged: number }

type Stores = { from: MediaStore; to: MediaStore }

const concurrency = 8

/**
 * Copies every picture that is not in the other store with the same bytes, and compares what was stored by its hash.
 * Deletes nothing. May be stopped and run again.
 */
export async function copyPictures(
  stores: Stores,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopyProgress> {
  const names: VariantName[] = []
  for await (const name of stores.from.list()) names.push(name)
  const progress = { files: names.length, copied: 0, unchanged: 0 }
  const waiting = names.values()
  const work = async () => {
    for (const name of waiting) {
      progress[await copy(stores, name)] += 1
      onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return progress
}

async function copy({ from, to }: Stores, name: VariantName): Promise<'copied' | 'unchanged'> {
  const { file, width, format } = name
  const source = await from.open(file, width, format)
  // A picture that was discarded since it was listed.
  if (source === null) return 'unchanged'
  const hash = sha256(source.bytes)
  if ((await hashIn(to, name)) === hash) return 'unchanged'
  await to.save(file, [{ width, format, bytes: source.bytes }])
  if ((await hashIn(to, name)) === hash) return 'copied'
  throw new Error(`${file} (${width} ${format}) was not stored as it was sent. Run the command again.`)
}

async function hashIn(store: MediaStore, { file, width, format }: VariantName): Promise<string | null> {
  const picture = await store.open(file, width, format)
  return picture === null ? null : sha256(picture.bytes)
}
