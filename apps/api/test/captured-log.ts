import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Logger } from '../src/platform/logger.ts'

const errorLevel = 50

/** Creates a logger that keeps its lines, so that a test can check them and fail on errors. */
export function createCapturedLog(): {
  logger: Logger
  lines: string[]
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
  return {
    logger: pino({ level: 'debug' }, stream),
    lines,
    expectNoErrors() {
      const errors = lines.slice(checked).filter((line) => JSON.parse(line).level >= errorLevel)
      checked = lines.length
      if (errors.length > 0) throw new Error(`Errors were logged:\n${errors.join('\n')}`)
    },
  }
}
