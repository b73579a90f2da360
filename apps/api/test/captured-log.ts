import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Logger } from '../src/platform/logger.ts'

const errorLevel = 50

type LogEntry = { level: number; msg: string; [field: string]: unknown }

/** Creates a logger that keeps its lines, so that a test can check them and fail on errors. */
export function createCapturedLog(): {
  logger: Logger
  lines: string[]
  /** Returns the entries since a number of lines. */
  entries(since?: number): LogEntry[]
  /** Returns the messages of errors since a number of lines. */
  errorMessages(since?: number): string[]
  /** Throws when anything was logged as an error since the last call. */
  expectNoErrors(): void
} {
  const lines: string[] = []
  let checked = 0
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const entries = (since = 0) => lines.slice(since).map((line): LogEntry => JSON.parse(line))
  return {
    logger: pino({ level: 'debug' }, stream),
    lines,
    entries,
    errorMessages(since) {
      return entries(since)
        .filter(({ level }) => level >= errorLevel)
        .map(({ msg }) => msg)
    },
    expectNoErrors() {
      const errors = lines.slice(checked).filter((line) => JSON.parse(line).level >= errorLevel)
      checked = lines.length
      if (errors.length > 0) throw new Error(`Errors were logged:\n${errors.join('\n')}`)
    },
  }
}
