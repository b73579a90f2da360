import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'

type Failure = { since: number; count: number }

export type FailureLog = ReturnType<typeof createFailureLog>

/** Logs a failure that repeats, such as an unavailable database, when it begins; and how often it occurred when it ends. */
export function createFailureLog({ clock, logger }: { clock: Clock; logger: Logger }) {
  const failures = new Map<string, Failure>()
  return {
    /** Counts a failure of what has this name. The first one is logged; an `err` with its stack only if it is unexpected. */
    failed(name: string, reason: string, details: { err?: unknown } = {}): void {
      const known = failures.get(name)
      if (known !== undefined) {
        known.count += 1
        return
      }
      failures.set(name, { since: clock.now().getTime(), count: 1 })
      logger.warn({ name, reason, ...details }, 'failing')
    },

    /** Ends a failure; does nothing without one. */
    recovered(name: string): void {
      const known = failures.get(name)
      if (known === undefined) return
      failures.delete(name)
      const seconds = Math.round((clock.now().getTime() - known.since) / 1000)
      logger.info({ name, failures: known.count, seconds }, 'recovered')
    },
  }
}
