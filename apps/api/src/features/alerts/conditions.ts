import type { AlertKind } from '#platform/alert-kinds.ts'
import type { Database } from '#platform/database.ts'
import { listDied } from '#platform/database-metrics/job-metrics.ts'
import { holdReasons } from '#platform/sending-guard/hold-reasons.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import { readBackups } from '../backups/index.ts'
import { countWaitingPayments } from '../billing/index.ts'
import { countByState, countRuns, listRefusingDomains } from '../delivery/index.ts'
import { readEditions } from '../editions/index.ts'
import { readDisk } from '../ops/index.ts'

/** Returns the facts of a problem, and since when it lasts if that is known; null while there is none. */
export type Condition = (
  now: Date,
) => Promise<{ since: Date | null; facts: Readonly<Record<string, string>> } | null>

type Deps = {
  database: Database
  sendingGuard: Pick<SendingGuard, 'read'>
  dataDir: string
  diskOf?: typeof readDisk
}

const hourMs = 3_600_000
/** How late an edition is before a person is told: publishing itself takes seconds. */
const lateMs = 2 * 60_000
const lowDisk = 0.1
const bytesPerGigabyte = 1e9

/** Creates the conditions of all alerts. They read what the metrics read. */
export function createConditions({
  database,
  sendingGuard,
  dataDir,
  diskOf = readDisk,
}: Deps): Readonly<Record<AlertKind, Condition>> {
  const { sql, db } = database
  return {
    async 'edition-held'(now) {
      const { held, overdue, oldestDue } = await readEditions(sql, new Date(now.getTime() - lateMs))
      const runs = (await countRuns(sql)).get('held') ?? 0
      if (held + overdue + runs === 0) return null
      const facts = { Held: String(held), Late: String(overdue), 'Deliveries held': String(runs) }
      return { since: oldestDue, facts }
    },

    async 'sending-held'() {
      const reason = await sendingGuard.read()
      if (reason === null) return null
      const { text, command } = holdReasons[reason]
      const facts = { Reason: text, Command: command ?? '' }
      return { since: null, facts }
    },

    async 'deliveries-unconfirmed'(now) {
      const counts = (await countByState(sql, now)).filter(({ state }) => state === 'unconfirmed')
      const count = counts.reduce((sum, row) => sum + row.count, 0)
      return count === 0 ? null : { since: null, facts: { Unconfirmed: String(count) } }
    },

    async 'refunds-waiting'() {
      const { failed, manual } = await countWaitingPayments(sql)
      if (failed + manual === 0) return null
      return { since: null, facts: { Failed: String(failed), 'To make by hand': String(manual) } }
    },

    async 'dead-job'(now) {
      const died = await listDied(database, new Date(now.getTime() - hourMs))
      const [first] = died.map(({ since }) => since).sort((a, b) => a.getTime() - b.getTime())
      if (first === undefined) return null
      return { since: first, facts: { Jobs: died.map(({ job, dead }) => `${job} (${dead})`).join(', ') } }
    },

    async 'disk-low'() {
      const { freeBytes, sizeBytes } = await diskOf(dataDir)
      if (freeBytes >= sizeBytes * lowDisk) return null
      const gigabytes = (bytes: number) => `${(bytes / bytesPerGigabyte).toFixed(1)} GB`
      return { since: null, facts: { Free: `${gigabytes(freeBytes)} of ${gigabytes(sizeBytes)}` } }
    },

    async 'backup-old'(now) {
      const { lastAt, siteSince } = await readBackups(sql)
      const since = lastAt ?? siteSince
      if (since === null || now.getTime() - since.getTime() < 24 * hourMs) return null
      return {
        since: new Date(since.getTime() + 24 * hourMs),
        facts: { 'Last backup': lastAt?.toISOString() ?? 'none' },
      }
    },

    async 'domain-refusing'(now) {
      const domains = await listRefusingDomains(db, now)
      const [first] = domains.map(({ since }) => since).sort((a, b) => a.getTime() - b.getTime())
      if (first === undefined) return null
      const refusals = domains.reduce((sum, row) => sum + row.refusals, 0)
      // Not by name: a domain can name its only member.
      return { since: first, facts: { Domains: String(domains.length), Refusals: String(refusals) } }
    },
  }
}
