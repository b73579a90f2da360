import { describe, expect, test, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { metricValues } from '#test/metric-values.ts'
import { createMetrics } from '../metrics.ts'
import { createDatabaseMetrics } from './database-metrics.ts'

const start = new Date('2026-11-20T18:00:00Z')

function setUp({ keptMs = 5_000, limitMs = 4_000 } = {}) {
  const metrics = createMetrics({ withProcess: false })
  const clock = createFixedClock(start)
  const { logger, lines } = createCapturedLog()
  const databaseMetrics = createDatabaseMetrics({ metrics, clock, logger, keptMs, limitMs })
  const count = databaseMetrics.gauge({ name: 'tidings_rows', help: 'Rows' })
  const byKind = databaseMetrics.gauge({ name: 'tidings_kinds', help: 'Kinds', labelNames: ['kind'] })
  const readValue = async (name: string) => (await metricValues(metrics, name))[0]?.value
  return { metrics, clock, lines, databaseMetrics, count, byKind, readValue }
}

const unavailable = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))

describe('createDatabaseMetrics', () => {
  test('reads once for all gauges of a scrape, and again after the time to live', async () => {
    const { metrics, clock, databaseMetrics, count, byKind, readValue } = setUp()
    let reads = 0
    databaseMetrics.fill('rows', [count, byKind], async () => {
      reads += 1
      return [
        { gauge: count, value: reads },
        { gauge: byKind, labels: { kind: 'a' }, value: 1 },
      ]
    })
    await metrics.registry.metrics()
    clock.moveTo(new Date(start.getTime() + 4_999))
    expect(await readValue('tidings_rows')).toBe(1)
    clock.moveTo(new Date(start.getTime() + 5_000))
    expect(await readValue('tidings_rows')).toBe(2)
    expect(reads).toBe(2)
  })

  test('exports no value of the database while it is unavailable, and says so', async () => {
    const { metrics, databaseMetrics, count, byKind, readValue, lines } = setUp({ keptMs: 0 })
    let read = async () => [
      { gauge: count, value: 7 },
      { gauge: byKind, labels: { kind: 'a' }, value: 1 },
    ]
    databaseMetrics.fill('rows', [count, byKind], () => read())
    expect([await readValue('tidings_rows'), await readValue('tidings_database_up')]).toEqual([7, 1])
    read = unavailable
    const text = await metrics.registry.metrics()
    expect(text).toContain('tidings_database_up 0')
    expect(text).not.toMatch(/^tidings_(rows|kinds)/m)
    expect(lines).toEqual([])
  })

  test('keeps the other values when one query fails, and logs that once', async () => {
    const { databaseMetrics, count, byKind, readValue, lines } = setUp({ keptMs: 0 })
    databaseMetrics.fill('kinds', [byKind], () => Promise.reject(new Error('no such column')))
    databaseMetrics.fill('rows', [count], async () => [{ gauge: count, value: 3 }])
    await readValue('tidings_rows')
    expect([await readValue('tidings_rows'), await readValue('tidings_kinds')]).toEqual([3, undefined])
    expect(await readValue('tidings_database_up')).toBe(1)
    expect(lines.filter((line) => line.includes('metrics query failed'))).toHaveLength(1)
  })

  test('does not wait longer than its limit, and starts no second query meanwhile', async () => {
    const { metrics, databaseMetrics, count, readValue } = setUp({ keptMs: 0, limitMs: 20 })
    const { promise, resolve } = Promise.withResolvers<{ gauge: typeof count; value: number }[]>()
    let reads = 0
    databaseMetrics.fill('rows', [count], () => {
      reads += 1
      return promise
    })
    expect(await metrics.registry.metrics()).toContain('tidings_database_up 0')
    expect(await readValue('tidings_database_up')).toBe(0)
    expect(reads).toBe(1)
    resolve([{ gauge: count, value: 5 }])
    await vi.waitFor(async () => expect(await readValue('tidings_rows')).toBe(5))
    expect(reads).toBe(2)
  })
})
