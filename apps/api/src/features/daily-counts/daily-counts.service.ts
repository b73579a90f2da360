import { dateInZone } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { createSigner } from '#platform/signing.ts'
import { addMiss, addToCount, mergeCounts, removeCounts, settleMisses } from './daily-counts.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  timeZone: string
  secret: string
  /** The app whose members are counted. */
  appId: string
}

export type DailyCounts = ReturnType<typeof createDailyCounts>

/** How many readers must have searched for words in a day, before an editor sees them. */
export const missThreshold = 5

const mostMissesPerDay = 20_000
const longestWords = 100
/** Long enough to compare a month with the one a year before. */
const keptMs = 400 * 86_400_000

/** Creates the service that counts by day. A failed count never fails what is counted. */
export function createDailyCounts({ database, clock, logger, timeZone, secret, appId }: Deps) {
  const signer = createSigner(secret, 'search miss')

  function dayOf(instant: Date): Date {
    return toDatabaseDate(dateInZone(instant, timeZone))
  }

  async function attempt(count: () => Promise<void>): Promise<void> {
    try {
      await count()
    } catch (error) {
      logger.warn({ err: error }, 'daily count failed')
    }
  }

  return {
    /** Counts a signed link that was opened, by its purpose and without its reader. */
    async linkOpened(purpose: string): Promise<void> {
      await attempt(() => addToCount(database.sql, { day: dayOf(clock.now()), kind: 'link', label: purpose }))
    },

    /** Counts a verified member who leaves, in the transaction that removes the account. */
    async memberGone(tx: Db, member: { appId: string; verified: boolean; createdAt: Date }): Promise<void> {
      if (member.appId !== appId || !member.verified) return
      await addToCount(tx, { day: dayOf(clock.now()), kind: 'gone', label: '' })
      await addToCount(tx, { day: dayOf(member.createdAt), kind: 'joined', label: '' })
    },

    /** Counts a search without results, once a day for each reader. */
    async searchMissed(typed: string, reader: string): Promise<void> {
      const words = typed.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
      if (words === '' || words.length > longestWords) return
      const day = dayOf(clock.now())
      const readerHash = sha256(signer.sign(`${day.toISOString()} ${words} ${reader}`)).slice(0, 32)
      await attempt(() => addMiss(database.sql, { day, words, readerHash, most: mostMissesPerDay }))
    },

    /** Merges the numbers of past days, forgets who searched on them, and removes old ones. */
    async removeOld(): Promise<void> {
      const now = clock.now()
      const today = dayOf(now)
      await database.transaction(async (tx) => {
        await settleMisses(tx, today, missThreshold)
        await mergeCounts(tx, today)
      })
      await removeCounts(database.db, dayOf(new Date(now.getTime() - keptMs)))
    },
  }
}
