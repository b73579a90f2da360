import { isDatabaseUnavailable } from './platform/database.ts'
import type { Logger } from './platform/logger.ts'

const closeTimeoutMs = 15_000

/** Closes the process on SIGTERM, SIGINT and uncaught errors, and exits when closing takes too long. */
export function closeGracefully(logger: Logger, close: () => Promise<void>): void {
  let closing = false

  function end(code: number, reason: string): void {
    if (closing) return
    closing = true
    logger.info({ reason }, 'closing')
    setTimeout(() => process.exit(code === 0 ? 1 : code), closeTimeoutMs).unref()
    close().then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error({ err: error }, 'close failed')
        process.exit(1)
      },
    )
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end(0, signal))
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught error')
    end(1, 'uncaught error')
  })
}

/** Prints why the process could not start and exits; with a stack only for errors of the code. */
export function failToStart(error: unknown): never {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exit(1)
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'ConfigurationError') return error.message
  if (isDatabaseUnavailable(error)) {
    return `The database is unavailable (${error.message}). Check that it is running and that DATABASE_URL is correct.`
  }
  return error.stack ?? error.message
}
