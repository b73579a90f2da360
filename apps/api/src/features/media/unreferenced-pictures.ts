import type { MediaStore } from '#integrations/storage/media-store.ts'
import type { WhileClaimed } from '#platform/claims/while-claimed.ts'
import type { Database } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { listUnreferenced, removeUnreferencedRow } from './unreferenced-pictures.repository.ts'

type Deps = Pick<PlatformDeps, 'clock'> & {
  database: Database
  store: MediaStore
  logger: Logger
  whileClaimed: WhileClaimed
}

/** Emails that were sent still show the picture of a memo that was corrected or deleted since. */
const keptDays = 90
const dayMs = 86_400_000
const batchSize = 500
/** Above this number, removals need that most stored pictures have a reference. */
const fewPictures = 20

/** Pictures in the store, and those of them that nothing shows and that are old. */
type Found = { stored: number; unreferenced: string[] }

/**
 * Creates what deletes pictures that nothing shows: no memo, article or member, for 90 days since their last upload
 * or use. Such are left by a failed upload or a deleted memo.
 */
export function createUnreferencedRemoval({ database, clock, store, logger, whileClaimed }: Deps) {
  const { db } = database

  async function find(before: Date): Promise<Found> {
    const found: Found = { stored: 0, unreferenced: [] }
    let batch: string[] = []
    const check = async () => {
      found.unreferenced.push(...(await listUnreferenced(db, batch, before)))
      batch = []
    }
    for await (const { file, storedAt } of picturesOf(store)) {
      found.stored += 1
      if (storedAt < before) batch.push(file)
      if (batch.length === batchSize) await check()
    }
    await check()
    return found
  }

  /** Deletes a picture, unless it was uploaded or used since it was found. An upload of it waits meanwhile. */
  async function remove(file: string, before: Date): Promise<boolean> {
    return await whileClaimed(file, async () => {
      if (!(await database.transaction((tx) => removeUnreferencedRow(tx, file, before)))) return false
      const storedAt = await store.lastStored(file)
      if (storedAt === null || storedAt >= before) return false
      await store.remove(file)
      return true
    })
  }

  /** Deletes the pictures that nothing shows. Returns how many. */
  return async function removeUnreferenced(): Promise<number> {
    const before = new Date(clock.now().getTime() - keptDays * dayMs)
    const { stored, unreferenced } = await find(before)
    const count = unreferenced.length
    if (count > fewPictures && count * 2 > stored) {
      // Rather another site's database than so many forgotten pictures.
      logger.warn({ stored, unreferenced: count }, 'picture removal refused')
      return 0
    }
    let removed = 0
    for (const file of unreferenced) if (await remove(file, before)) removed += 1
    if (removed > 0) logger.info({ removed }, 'pictures removed')
    return removed
  }
}

/** Lists each picture with the time of its newest variant. Stores list the variants of a picture one after another. */
async function* picturesOf(store: MediaStore): AsyncGenerator<{ file: string; storedAt: Date }> {
  let picture = { file: '', storedAt: new Date(0) }
  for await (const { file, storedAt } of store.list()) {
    if (file !== picture.file) {
      if (picture.file !== '') yield picture
      picture = { file, storedAt }
    } else if (storedAt > picture.storedAt) picture.storedAt = storedAt
  }
  if (picture.file !== '') yield picture
}
