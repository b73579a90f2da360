import { type AlertKind, alertKinds } from '#platform/alert-kinds.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { uuidOf } from '#platform/ids.ts'
import { createRepeatedWarning, type Logger, reasonOf } from '#platform/logger.ts'
import type { OperatorEmail } from '../mail/index.ts'
import { claimRaised, claimResolved, markResolved, markTold, release } from './alerts.repository.ts'
import type { Condition } from './conditions.ts'

type Deps = {
  database: Database
  clock: Clock
  logger: Logger
  operatorEmails: { send(to: string, email: OperatorEmail, messageId: string): Promise<boolean> }
  conditions: Readonly<Record<AlertKind, Condition>>
  /** The addresses that get the emails. */
  recipients: readonly string[]
  /** The kinds without emails. */
  except: readonly AlertKind[]
  /** The host name of the site, and its database without credentials. */
  site: { site: string; database: string }
}

const hourMs = 3_600_000
/** Longer than a mail server may take to reply. */
const leaseMs = 15 * 60_000

/** Creates the alerts: each kind is told when it begins, each hour while it lasts, and once when it is over. */
export function createAlerts(deps: Deps) {
  const { database, clock, logger, conditions, recipients, except } = deps
  const warnOfCheck = createRepeatedWarning(logger, 'alert check failed')
  const warnOfEmail = createRepeatedWarning(logger, 'alert email failed')

  /** Sends an email and records it with `mark`; what fails is tried at the next check. */
  async function tell(
    id: { kind: AlertKind; recipient: string },
    email: OperatorEmail,
    { told, mark }: { told: string; mark: () => Promise<void> },
  ): Promise<void> {
    // A repetition after a lost process has the same id, so that inboxes can drop it.
    const messageId = `alert-${uuidOf('alert', id.kind, id.recipient, told)}`
    try {
      const isAccepted = await deps.operatorEmails.send(id.recipient, email, messageId)
      if (!isAccepted) logger.warn({ kind: id.kind, messageId }, 'alert email refused')
    } catch (error) {
      warnOfEmail({ kind: id.kind, reason: reasonOf(error) })
      return await release(database.sql, id)
    }
    await mark()
  }

  async function checkKind(kind: AlertKind, recipient: string): Promise<void> {
    const now = clock.now()
    const id = { kind, recipient }
    const leasedUntil = new Date(now.getTime() + leaseMs)
    const found = await conditions[kind](now)
    if (found !== null) {
      const since = found.since ?? now
      const toldBefore = new Date(now.getTime() - hourMs)
      const claimed = await claimRaised(database.sql, id, { since, now, toldBefore, leasedUntil })
      if (claimed === null) return
      const data = { alert: kind, since: claimed.since.toISOString(), facts: found.facts, ...deps.site }
      const told = `raised ${claimed.since.toISOString()} ${claimed.toldAt?.toISOString()}`
      const mark = () => markTold(database.sql, id, { since: claimed.since, now })
      return await tell(id, { kind: 'operator-alert', ...data }, { told, mark })
    }
    const claimed = await claimResolved(database.sql, id, { now, leasedUntil })
    if (claimed === null) return
    const since = claimed.toldSince.toISOString()
    const data = { alert: kind, since, facts: {}, ...deps.site }
    const mark = () => markResolved(database.sql, id)
    await tell(id, { kind: 'operator-alert-resolved', ...data }, { told: `resolved ${since}`, mark })
  }

  return {
    /** Checks each kind for each recipient. One that can't be read doesn't stop the others. */
    async check(): Promise<void> {
      for (const recipient of recipients) {
        for (const kind of alertKinds) {
          if (except.includes(kind)) continue
          try {
            await checkKind(kind, recipient)
          } catch (error) {
            warnOfCheck({ kind, reason: reasonOf(error) })
          }
        }
      }
    },
  }
}
