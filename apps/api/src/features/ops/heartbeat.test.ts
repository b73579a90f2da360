import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFailureLog } from '#platform/failure-log.ts'
import { createLogger } from '#platform/logger.ts'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createHeartbeat, findWorkerFailure, heartbeatFileOf } from './heartbeat.ts'

const start = new Date('2026-11-20T18:00:00Z')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-heartbeat-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function worker(pingDatabase: () => Promise<unknown> = async () => {}) {
  const clock = createFixedClock(start)
  const file = join(folder, 'heartbeat')
  const logger = createLogger({ level: 'silent', process: 'test' })
  const failureLog = createFailureLog({ clock, logger })
  return { clock, file, heartbeat: createHeartbeat({ pingDatabase, clock, failureLog, file }) }
}

function later(seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000)
}

describe('heartbeatFileOf', () => {
  const dataDir = '/srv/data'
  const fileOf = (databaseUrl: string) => heartbeatFileOf({ databaseUrl, dataDir })
  const ours = fileOf('postgres://site:one@db.example.com:5432/tidings')

  test.each([
    'postgres://site:two@db.example.com:5432/tidings',
    'postgres://site@db.example.com:5432/tidings?password=three',
  ])('has the same name with another password: %s', (databaseUrl) => {
    expect(fileOf(databaseUrl)).toBe(ours)
  })

  test.each([
    'postgres://other:one@db.example.com:5432/tidings',
    'postgres://site:one@other.example.com:5432/tidings',
    'postgres://site:one@db.example.com:5433/tidings',
    'postgres://site:one@db.example.com:5432/other',
    'postgres://site:one@db.example.com:5432/tidings?host=/run/postgresql',
  ])('has another name for another database: %s', (databaseUrl) => {
    expect(fileOf(databaseUrl)).not.toBe(ours)
  })

  test('has another name for another data folder, also without an address', () => {
    expect(heartbeatFileOf({ databaseUrl: '', dataDir: '/srv/other' })).not.toBe(fileOf(''))
  })
})

describe('findWorkerFailure', () => {
  test('a worker that has not started has no heartbeat', async () => {
    const { clock, file } = worker()
    expect(await findWorkerFailure(clock, file)).toContain('no heartbeat yet')
  })

  test('a recent heartbeat is healthy and leaves no temporary file', async () => {
    const { clock, file, heartbeat } = worker()
    await heartbeat.beat()
    clock.moveTo(later(40))
    expect(await findWorkerFailure(clock, file)).toBeNull()
    expect(await readdir(folder)).toEqual(['heartbeat'])
  })

  test('an old heartbeat is reported with its time', async () => {
    const { clock, file, heartbeat } = worker()
    await heartbeat.beat()
    clock.moveTo(later(60))
    expect(await findWorkerFailure(clock, file)).toContain(start.toISOString())
  })

  test('a heartbeat without a database renews nothing', async () => {
    const { clock, file, heartbeat } = worker(() => Promise.reject(new Error('unavailable')))
    await writeFile(file, start.toISOString())
    clock.moveTo(later(60))
    await heartbeat.beat()
    expect(await findWorkerFailure(clock, file)).toContain(start.toISOString())
  })

  test('a worker that stopped has no heartbeat', async () => {
    const { clock, file, heartbeat } = worker()
    await heartbeat.beat()
    await heartbeat.stop()
    expect(await findWorkerFailure(clock, file)).toContain('no heartbeat yet')
  })
})
