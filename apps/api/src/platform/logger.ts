import {
  type DestinationStream,
  type LoggerOptions,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino'

export type Logger = PinoLogger

/**
 * The process's log: JSON lines on standard output. Headers that carry secrets and query strings are never
 * written, whoever logs a request. `destination` is for tests.
 */
export function createLogger(
  options: { level: string; process: string },
  destination?: DestinationStream,
): Logger {
  const settings: LoggerOptions = {
    level: options.level,
    base: { process: options.process },
    timestamp: stdTimeFunctions.isoTime,
    redact: {
      paths: [
        'req.headers',
        'headers',
        'body',
        'password',
        'authorization',
        'cookie',
        '*.password',
        '*.authorization',
      ],
      censor: '[redacted]',
    },
    serializers: { err: describeError },
  }
  return destination === undefined ? pino(settings) : pino(settings, destination)
}

/** Keeps type, message, code and stack; leaves out fields of drivers that may quote values of rows. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: error.name,
    message: withoutAddresses(error.message),
    ...(code === undefined ? {} : { code }),
    stack: withoutAddresses(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

// NOTE: an e-mail address may stand in a driver's message (a unique value, for one), and logs hold none.
function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s"'=(<]+@[^\s"')>]+/g, '[address]')
}
