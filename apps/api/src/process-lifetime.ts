import { isDatabaseUnavailable } from './platform/database.ts'
import type { Logger } from './platform/logger.ts'

const longestCloseMs = 15_000

/**
 * Ends the process in good order on SIGTERM or SIGINT, and at once when that takes too long. A failure that
 * nobody caught ends it too: what state it is in is not known any more.
 */
export function endInGoodOrder(logger: Logger, close: () => Promise<void>): void {
  let closing = false

  function end(code: number, reason: string): void {
    if (closing) return
    closing = true
    logger.info({ reason }, 'closing')
    setTimeout(() => process.exit(code === 0 ? 1 : code), longestCloseMs).unref()
    close().then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error({ err: error }, 'closing failed')
        process.exit(1)
      },
    )
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(0, signal))
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an error that nobody caught')
    end(1, 'uncaught error')
  })
}

/** Says on standard error why a process could not start; without a stack when the surroundings are at fault. */
export function failToStart(error: unknown): never {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exit(1)
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'ConfigurationError') return error.message
  if (isDatabaseUnavailable(error)) {
    return `The database does not answer (${error.message}). Is it running, and is DATABASE_URL right?`
  }
  return error.stack ?? error.message
}
