import {
  type DestinationStream,
  type LoggerOptions,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino'

export type Logger = PinoLogger

/**
 * The process's log: JSON lines on standard output. Headers, bodies and secrets are never written, whoever logs
 * them under their usual names, and neither is an e-mail address, wherever it stands. `destination` is for tests.
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
      paths: ['headers', 'body', 'password', 'authorization', 'cookie'].flatMap((name) => [
        name,
        `*.${name}`,
      ]),
      censor: '[redacted]',
    },
    serializers: { err: describeError },
    hooks: { streamWrite: withoutAddresses },
  }
  return destination === undefined ? pino(settings) : pino(settings, destination)
}

/** Keeps type, message, code and stack; leaves out fields of drivers that may quote values of rows. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack ?? '',
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

// Who connects where, in an address of a database or a mail server: the name and password before the host.
const credentials = /\/\/[^\s"'/@\\]{1,200}@/g
// NOTE: it works on JSON text, so a match neither takes a backslash nor begins in the middle of an escape.
const mailAddress =
  /(?<!\\|\\u[0-9a-f]{0,3})[^\s"'=()<>\\/:,;@]{1,64}@[^\s"'=()<>\\/:,;@]{1,253}\.\p{L}{2,63}/gu

/** A line of the log without what a driver's message may quote (a unique value, for one). */
function withoutAddresses(line: string): string {
  return line.includes('@')
    ? line.replaceAll(credentials, '//[redacted]@').replaceAll(mailAddress, '[address]')
    : line
}
