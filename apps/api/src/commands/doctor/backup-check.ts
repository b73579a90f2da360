import type { Context } from '#context.ts'
import { readBackups } from '#features/backups/index.ts'
import { type Check, failed, ok, skipped } from './check.ts'

const hourMs = 3_600_000
/** A day, and the time that a large backup may take. */
const oldestHours = 26

/** Returns the check that `tidings backup` ran within a day. A site without one may be backed up in another way. */
export function backupCheck({ database, clock }: Pick<Context, 'database' | 'clock'>): Check {
  return {
    name: 'backup',
    async run() {
      const { lastAt } = await readBackups(database.sql)
      if (lastAt === null)
        return skipped(
          "No backup was made with 'tidings backup'. Let it run every night, if nothing else does.",
        )
      const hours = Math.floor((clock.now().getTime() - lastAt.getTime()) / hourMs)
      const text = `The last backup was made ${lastAt.toISOString()}, ${hours} hours ago`
      if (hours < oldestHours) return ok(text)
      return failed(`${text}. Run 'tidings backup', and find out why the nightly one failed.`)
    },
  }
}
