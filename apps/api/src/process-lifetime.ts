import closeWithGrace from 'close-with-grace'
import { isDatabaseUnavailable } from './platform/database.ts'
import { hasCode } from './platform/errors.ts'
import type { Logger } from './platform/logger.ts'
import { describeHold, isHoldReason } from './platform/sending-guard/hold-reasons.ts'

const closeTimeoutMs = 15_000

type Closing = {
  /** Serves on until proxies have noticed; only after a signal. */
  drain?: () => Promise<void>
  drainMs?: number
  close: () => Promise<void>
}

/** Closes the process on signals and uncaught errors, and exits when closing takes too long or is asked for twice. */
export function closeGracefully(logger: Logger, { drain, drainMs = 0, close }: Closing): void {
  // Diagnostic tools use SIGUSR2, for heap dumps for example.
  closeWithGrace({ delay: drainMs + closeTimeoutMs, logger, skip: ['SIGUSR2'] }, async ({ err, signal }) => {
    if (err !== undefined) logger.fatal({ err }, 'uncaught error')
    logger.info({ reason: signal ?? 'uncaught error' }, 'closing')
    if (err === undefined) await drain?.()
    await close()
  })
}

/** Prints why the process could not start and exits; with a stack only for errors of the code. */
export function failToStart(error: unknown): never {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exit(1)
}

/** Describes why a process failed; with a stack only for errors of the code. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (hasCode(error, 'sending-held')) return describeHeld(error.cause)
  if (error.name === 'ConfigurationError') return error.message
  if (isDatabaseUnavailable(error)) {
    return `The database is unavailable (${error.message}). Check that it is running and that DATABASE_URL is correct.`
  }
  return error.stack ?? error.message
}

function describeHeld(reason: unknown): string {
  const text = typeof reason === 'string' && isHoldReason(reason) ? describeHold(reason) : ''
  return `Nothing was sent or changed, because sending is held. ${text}`.trim()
}
