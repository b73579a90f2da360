import { describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createFailureLog } from './failure-log.ts'

function setUp() {
  const { logger, entries } = createCapturedLog()
  const clock = createFixedClock(new Date('2026-11-20T17:00:00.000Z'))
  return { clock, failureLog: createFailureLog({ clock, logger }), entries }
}

describe('failureLog', () => {
  it('logs the first failure, then how many there were and for how long', () => {
    const { clock, failureLog, entries } = setUp()

    failureLog.failed('database', 'The database is unavailable.')
    clock.pass(12_000)
    failureLog.failed('database', 'The database is unavailable.')
    failureLog.recovered('database')

    expect(entries()).toMatchObject([
      { level: 40, msg: 'failing', name: 'database', reason: 'The database is unavailable.' },
      { level: 30, msg: 'recovered', name: 'database', failures: 2, seconds: 12 },
    ])
  })

  it('logs each failure of another name, and the next one of a name that recovered', () => {
    const { failureLog, entries } = setUp()

    failureLog.recovered('database')
    failureLog.failed('database', 'first')
    failureLog.failed('media-folder', 'full')
    failureLog.recovered('database')
    failureLog.failed('database', 'second')

    expect(entries().map(({ msg, name }) => `${name} ${msg}`)).toEqual([
      'database failing',
      'media-folder failing',
      'database recovered',
      'database failing',
    ])
  })
})
