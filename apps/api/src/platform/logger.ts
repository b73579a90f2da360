import {
  type DestinationStream,
  type LoggerOptions,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino'

export type Logger = PinoLogger

/**
 * Creates the log: JSON lines on standard output, without headers, bodies, secrets or email addresses. `hasNoStack` names
 * errors whose stack says nothing, such as those of an unavailable database.
 */
export function createLogger(
  options: { level: string; process: string; hasNoStack?: (error: unknown) => boolean },
  destination?: DestinationStream,
): Logger {
  const settings: LoggerOptions = {
    level: options.level,
    base: { process: options.process },
    timestamp: stdTimeFunctions.isoTime,
    redact: {
      paths: ['headers', 'body', 'password', 'authorization', 'cookie'].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      censor: '[redacted]',
    },
    serializers: { err: (error) => describeError(error, options.hasNoStack ?? (() => false)) },
    hooks: { streamWrite: (line) => withoutTokens(withoutAddresses(line)) },
  }
  return destination === undefined ? pino(settings) : pino(settings, destination)
}

/** Logs a warning with the fields of its first occurrence. */
export type RepeatedWarning = (fields: Record<string, unknown>) => void

const repeatedMs = 30_000

/** Logs a warning at once, and its repetitions as a count: an outage at many requests a second must not fill the disk. */
export function createRepeatedWarning(logger: Logger, message: string): RepeatedWarning {
  let repeated = 0
  let timer: NodeJS.Timeout | undefined
  function count(): void {
    timer = undefined
    if (repeated > 0) logger.warn({ repeated, seconds: repeatedMs / 1_000 }, message)
    repeated = 0
  }
  return (fields) => {
    repeated += timer === undefined ? 0 : 1
    if (timer !== undefined) return
    logger.warn(fields, message)
    timer = setTimeout(count, repeatedMs)
    timer.unref()
  }
}

/** Returns the first line of an error's message, for what needs no stack. */
export function reasonOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return (
    String(message)
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  )
}

/** Keeps type, message, code and stack; other fields of drivers may quote row values. */
function describeError(error: unknown, hasNoStack: (error: unknown) => boolean): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(hasNoStack(error) ? {} : { stack: error.stack ?? '' }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause, hasNoStack) }),
  }
}

// The name and password in the address of a database or mail server.
const credentials = /\/\/[^\s"'/@\\]{1,200}@/g
// NOTE: it runs on JSON text: a match contains no backslash and does not begin inside an escape.
const mailAddress =
  /(?<!\\|\\u[0-9a-f]{0,3})[^\s"'=()<>\\/:,;@]{1,64}@[^\s"'=()<>\\/:,;@]{1,253}\.\p{L}{2,63}/gu

// In an address inside another one, slashes are encoded. Links in texts have no purpose.
const slash = '(?:/|%(?:25)*2f)'
const addressToken = new RegExp(
  `(${slash}(?:feeds|l(?:${slash}[a-z][a-z\\d]{0,19})?)${slash})[\\w.~%-]{20,}`,
  'gi',
)

/** Removes the tokens of private feeds and of links in emails and texts from addresses. */
function withoutTokens(line: string): string {
  return line.replaceAll(addressToken, '$1[redacted]')
}

/** Removes addresses and credentials that a driver's message may quote. */
function withoutAddresses(line: string): string {
  return line.includes('@')
    ? line.replaceAll(credentials, '//[redacted]@').replaceAll(mailAddress, '[address]')
    : line
}
