import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createDatabase, type Database } from '../database.ts'
import { createJobs, type JobDefinition, jobsChannel } from '../jobs/jobs.ts'
import { createMetrics } from '../metrics.ts'
import { createCoalescedNotifications } from './coalesced-notifications.ts'
import { createNotifications } from './notifications.ts'

let url: string
let database: Database

beforeAll(async () => {
  url = await createTestDatabase()
  const { logger } = createCapturedLog()
  database = createDatabase({ url, connections: 3, waitSeconds: 60, logger, applicationName: 'under test' })
  return () => database.close()
})

function definition(name: string): JobDefinition<{ number: number }> {
  return { name, payload: z.object({ number: z.int() }), retries: 0, expireSeconds: 30 }
}

/** Listens to pg-boss's channel, and returns the queues that it announces. */
async function hearJobs(): Promise<{ heard: string[]; listener: pg.Client }> {
  const listener = new pg.Client({ connectionString: url })
  onTestFinished(() => listener.end())
  await listener.connect()
  const heard: string[] = []
  listener.on('notification', ({ payload }) => void heard.push(payload ?? ''))
  await listener.query(`LISTEN ${jobsChannel}`)
  return { heard, listener }
}

describe('a job', () => {
  it('starts at once although notifications are coalesced, outside of its transaction', async () => {
    const { logger } = createCapturedLog()
    const metrics = createMetrics({ withProcess: false })
    const applicationName = 'tidings'
    const notifications = createNotifications({ url, listenUrl: url, logger, applicationName })
    const coalesced = createCoalescedNotifications({ send: notifications.sendAll, logger })
    const jobs = createJobs({ url, applicationName, logger, metrics, coalesced })
    onTestFinished(async () => {
      await jobs.stop()
      await coalesced.flush()
      await notifications.stop()
    })
    const job = definition('test.coalesced')
    const done: number[] = []
    jobs.handle(job, async ({ number }) => void done.push(number))
    await jobs.start({ works: true })
    const { heard } = await hearJobs()

    const startedAt = performance.now()
    for (let number = 0; number < 50; number += 1) await jobs.enqueue(database.db, job, { number })
    await vi.waitFor(() => expect(done).toHaveLength(50), waitOptions)

    expect(heard.length).toBeGreaterThan(0)
    expect(heard.length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 200)
  })

  it('that is urgent notifies in its transaction, and others only after it', async () => {
    const { logger } = createCapturedLog()
    const metrics = createMetrics({ withProcess: false })
    const announced: string[] = []
    const coalesced = { topic: () => (queues: readonly string[]) => void announced.push(...queues) }
    const jobs = createJobs({ url, applicationName: 'tidings', logger, metrics, coalesced })
    onTestFinished(() => jobs.stop())
    const frequent = definition('test.frequent')
    const urgent = { ...definition('test.urgent'), isUrgent: true }
    for (const job of [frequent, urgent]) jobs.handle(job, async () => undefined)
    await jobs.start({ works: false })
    const { heard, listener } = await hearJobs()

    await database.transaction(async (tx) => {
      await jobs.enqueue(tx, frequent, { number: 1 })
      await jobs.enqueue(tx, urgent, { number: 2 })
      expect(announced).toEqual([])
    })
    await listener.query('SELECT 1')

    expect(heard.filter((name) => name === frequent.name || name === urgent.name)).toEqual([urgent.name])
    expect(announced).toEqual([frequent.name])
  })
})
