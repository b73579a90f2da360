import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFixedClock } from '#platform/clock.ts'
import { createLogger } from '#platform/logger.ts'
import { createHeartbeat, findSilence } from './heartbeat.ts'

const start = new Date('2026-11-20T18:00:00Z')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-heartbeat-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function worker(askDatabase: () => Promise<unknown> = async () => {}) {
  const clock = createFixedClock(start)
  const file = join(folder, 'heartbeat')
  const logger = createLogger({ level: 'silent', process: 'test' })
  return { clock, file, heartbeat: createHeartbeat({ askDatabase, clock, logger, file }) }
}

function later(seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000)
}

describe('findSilence', () => {
  test('a worker that has not begun is silent', async () => {
    const { clock, file } = worker()
    expect(await findSilence(clock, file)).toContain('no sign of life yet')
  })

  test('a worker that has just beaten is well, and leaves nothing else behind', async () => {
    const { clock, file, heartbeat } = worker()
    await heartbeat.beat()
    clock.moveTo(later(40))
    expect(await findSilence(clock, file)).toBeNull()
    expect(await readdir(folder)).toEqual(['heartbeat'])
  })

  test('a worker that stopped beating is silent, and since when is said', async () => {
    const { clock, file, heartbeat } = worker()
    await heartbeat.beat()
    clock.moveTo(later(60))
    expect(await findSilence(clock, file)).toContain(start.toISOString())
  })

  test('a beat while the database is away renews nothing', async () => {
    const { clock, file, heartbeat } = worker(() => Promise.reject(new Error('away')))
    await writeFile(file, start.toISOString())
    clock.moveTo(later(60))
    await heartbeat.beat()
    expect(await findSilence(clock, file)).toContain(start.toISOString())
  })

  test('a worker that ended in order has no sign of life', async () => {
    const { clock, file, heartbeat } = worker()
    await heartbeat.beat()
    await heartbeat.stop()
    expect(await findSilence(clock, file)).toContain('no sign of life yet')
  })
})
