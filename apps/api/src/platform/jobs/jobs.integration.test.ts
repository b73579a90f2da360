import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createDatabase, type Database } from '../database.ts'
import { createMetrics } from '../metrics.ts'
import { createCoalescedNotifications } from '../notifications/coalesced-notifications.ts'
import { createNotifications } from '../notifications/notifications.ts'
import { createJobs, type JobDefinition } from './jobs.ts'

const payload = z.object({ number: z.int() })
type Payload = z.infer<typeof payload>

let url: string
let database: Database

beforeAll(async () => {
  url = await createTestDatabase()
  const { logger } = createCapturedLog()
  database = createDatabase({ url, connections: 3, waitSeconds: 60, logger, applicationName: 'under test' })
  return () => database.close()
})

function definition(name: string, retries = 0): JobDefinition<Payload> {
  return { name, payload, retries, expireSeconds: 30 }
}

/** Creates the jobs of one process; they are stopped when the test ends. */
function createProcess() {
  const log = createCapturedLog()
  const metrics = createMetrics({ withProcess: false })
  const options = { url, logger: log.logger }
  const notifications = createNotifications({ ...options, listenUrl: url, applicationName: 'under test' })
  const coalesced = createCoalescedNotifications({ ...options, send: notifications.sendAll })
  const jobs = createJobs({ url, applicationName: 'tidings', logger: log.logger, metrics, coalesced })
  onTestFinished(async () => {
    await jobs.stop()
    await coalesced.flush()
    await notifications.stop()
  })
  return { jobs, metrics, log }
}

async function statesOf(name: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ state: string }>(
    'SELECT state FROM jobs.job WHERE name = $1 ORDER BY state::text',
    [name],
  )
  return rows.map(({ state }) => state)
}

async function waitForStates(name: string, states: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await statesOf(name)).toEqual(states), waitOptions)
}

describe('a job', () => {
  it('is stored and rolled back with its transaction', async () => {
    const { jobs } = createProcess()
    const done: number[] = []
    const job = definition('test.transaction')
    jobs.handle(job, async ({ number }) => void done.push(number))
    await jobs.start({ works: true })

    await database
      .transaction(async (tx) => {
        await jobs.enqueue(tx, job, { number: 1 })
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await database.transaction((tx) => jobs.enqueue(tx, job, { number: 2 }))

    await waitForStates(job.name, ['completed'])
    expect(done).toEqual([2])
  })

  it('is retried until it succeeds, and both attempts are counted', async () => {
    const { jobs, metrics, log } = createProcess()
    let attempts = 0
    const job = definition('test.retry', 3)
    jobs.handle(job, async () => {
      attempts += 1
      if (attempts === 1) throw new Error('not yet')
    })
    await jobs.start({ works: true })

    await jobs.enqueue(database.db, job, { number: 1 })

    await waitForStates(job.name, ['completed'])
    const { values } = await metrics.jobsDone.get()
    expect(attempts).toBe(2)
    expect(values.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['failed', 1],
      ['done', 1],
    ])
    log.expectNoErrors()
  })

  it('does not affect other jobs when it fails', async () => {
    const { jobs } = createProcess()
    const done: number[] = []
    const job = definition('test.beside', 0)
    jobs.handle(job, async ({ number }) => {
      if (number === 2) throw new Error('only this one')
      done.push(number)
    })
    await jobs.start({ works: true })

    await database.transaction(async (tx) => {
      for (const number of [1, 2, 3]) await jobs.enqueue(tx, job, { number })
    })

    await waitForStates(job.name, ['completed', 'completed', 'failed'])
    expect(done.sort()).toEqual([1, 3])
  })

  it('fails after its last retry', async () => {
    const { jobs } = createProcess()
    const job = definition('test.give-up', 0)
    jobs.handle(job, () => Promise.reject(new Error('never')))
    await jobs.start({ works: true })

    await jobs.enqueue(database.db, job, { number: 1 })

    await waitForStates(job.name, ['failed'])
  })

  it('with an invalid payload never reaches its handler', async () => {
    const { jobs } = createProcess()
    const job = definition('test.payload', 0)
    const handler = vi.fn(async () => undefined)
    jobs.handle(job, handler)
    await jobs.start({ works: true })

    await jobs.enqueue<object>(database.db, { ...job, payload: z.object({}) }, { number: 'seven' })

    await waitForStates(job.name, ['failed'])
    expect(handler).not.toHaveBeenCalled()
  })

  it('waits for startAfter', async () => {
    const { jobs } = createProcess()
    const job = definition('test.later')
    const handler = vi.fn(async () => undefined)
    jobs.handle(job, handler)
    await jobs.start({ works: true })
    const startAfter = new Date('2099-01-01T00:00:00.000Z')

    await jobs.enqueue(database.db, job, { number: 1 }, { startAfter })
    await jobs.enqueue(database.db, job, { number: 2 }, { startAfter: new Date('2000-01-01T00:00:00.000Z') })

    await vi.waitFor(() => expect(handler).toHaveBeenCalledWith({ number: 2 }), waitOptions)
    const { rows } = await database.pool.query(
      `SELECT start_after FROM jobs.job WHERE state = 'created' AND name = $1`,
      [job.name],
    )
    expect(rows).toEqual([{ start_after: startAfter }])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('runs once with two working processes', async () => {
    const done: number[] = []
    const job = definition('test.two-processes')
    const processes = [createProcess(), createProcess()]
    for (const { jobs } of processes) {
      jobs.handle(job, async ({ number }) => void done.push(number))
      await jobs.start({ works: true })
    }

    const numbers = Array.from({ length: 12 }, (_, index) => index)
    await Promise.all(numbers.map((number) => processes[0]?.jobs.enqueue(database.db, job, { number })))

    await waitForStates(job.name, Array(12).fill('completed'))
    expect(done.sort((a, b) => a - b)).toEqual(numbers)
  })

  it('is not run by a process that only enqueues', async () => {
    const job = definition('test.only-enqueues')
    const enqueuing = createProcess()
    const handler = vi.fn(async () => undefined)
    enqueuing.jobs.handle(job, handler)
    await enqueuing.jobs.start({ works: false })
    await enqueuing.jobs.enqueue(database.db, job, { number: 1 })
    const working = createProcess()
    const done: number[] = []
    working.jobs.handle(job, async ({ number }) => void done.push(number))

    await working.jobs.start({ works: true })

    await waitForStates(job.name, ['completed'])
    expect(done).toEqual([1])
    expect(handler).not.toHaveBeenCalled()
  })

  it('runs after every connection of the queue was terminated', async () => {
    const { jobs, log } = createProcess()
    const job = definition('test.cut', 5)
    const done: number[] = []
    jobs.handle(job, async ({ number }) => void done.push(number))
    await jobs.start({ works: true })

    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tidings jobs'`,
    )
    // Enqueueing may use a terminated connection; then nothing is stored.
    await vi.waitFor(() => jobs.enqueue(database.db, job, { number: 1 }), waitOptions)

    await waitForStates(job.name, ['completed'])
    expect(done).toEqual([1])
    log.expectNoErrors()
  })
})

describe('a scheduled job', () => {
  it('is scheduled once by several processes', async () => {
    const job = { ...definition('test.cron'), payload: z.object({}) }
    for (let number = 1; number <= 2; number += 1) {
      const { jobs } = createProcess()
      jobs.handle(job, async () => undefined, { cron: '17 * * * *' })
      await jobs.start({ works: true })
    }

    const { rows } = await database.pool.query('SELECT cron, timezone FROM jobs.schedule WHERE name = $1', [
      job.name,
    ])

    expect(rows).toEqual([{ cron: '17 * * * *', timezone: 'UTC' }])
  })
})

describe('stop', () => {
  it('waits for the running job', async () => {
    const { jobs } = createProcess()
    const job = definition('test.stop')
    let begin = () => {}
    let finish = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    jobs.handle(job, async () => {
      begin()
      await finished
    })
    await jobs.start({ works: true })
    await jobs.enqueue(database.db, job, { number: 1 })
    await begun

    const stopping = jobs.stop()
    finish()
    await stopping

    expect(await statesOf(job.name)).toEqual(['completed'])
  })

  it('does nothing before a start or the second time', async () => {
    const { jobs } = createProcess()

    await expect(jobs.stop()).resolves.toBeUndefined()
    await jobs.start({ works: true })
    await jobs.stop()
    await expect(jobs.stop()).resolves.toBeUndefined()
  })
})
