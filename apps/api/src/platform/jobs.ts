import { fromPrisma, type Job, type JobResult, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Db } from './database.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** A kind of job: its name, the shape of its payload (ids, never content), and how often it is tried. */
export type JobDefinition<T extends object> = {
  name: string
  payload: z.ZodType<T>
  /** Tries after the first, with growing pauses. */
  retries: number
  /** After so many seconds without an end it counts as failed, and is tried again. */
  expireSeconds: number
  /** Runs by the clock too: minute hour day month weekday, in UTC. */
  cron?: string
}

export type Jobs = {
  /** Stores the job in the transaction: it runs after the commit, or not at all. */
  enqueue<T extends object>(
    tx: Db,
    job: JobDefinition<T>,
    payload: T,
    options?: { startAfter?: Date },
  ): Promise<void>
  /** Names what runs a kind of job in this process. To be called before `start`. A job may run twice. */
  handle<T extends object>(job: JobDefinition<T>, handler: (payload: T) => Promise<void>): void
  /** Makes the queues and, unless this process only enqueues, begins to work. */
  start(): Promise<void>
  /** Lets running jobs end, then stops. */
  stop(): Promise<void>
}

// A job whose process was killed shows no sign of life for so long, and is then taken by another one.
const heartbeatSeconds = 10
const workOptions = {
  // A notification wakes workers for new jobs only: a job whose time has come, or that is tried again, is polled for.
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
  // One at a time would also mean one a poll, for jobs that were stored together.
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

type Registration = { definition: JobDefinition<object>; run: (payload: unknown) => Promise<void> }

/** Jobs in Postgres, so that they live and die with the rows they belong to. */
export function createJobs(options: { url: string; logger: Logger; metrics: Metrics; works: boolean }): Jobs {
  const { logger, metrics, works } = options
  const registrations = new Map<string, Registration>()
  const boss = new PgBoss({
    connectionString: options.url,
    application_name: 'tidings jobs',
    schema: 'jobs',
    max: works ? 4 : 1,
    useListenNotify: works,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    cronMonitorIntervalSeconds: 20,
    cronWorkerIntervalSeconds: 5,
    connectionTimeoutMillis: 5_000,
  })
  // NOTE: what workers report is a plain object with a message, not an Error.
  boss.on('error', (error) => {
    const err = error instanceof Error ? error : new Error(messageOf(error))
    logger.warn({ err }, 'the job queue met an error')
  })
  let started = false

  function handle<T extends object>(
    definition: JobDefinition<T>,
    handler: (payload: T) => Promise<void>,
  ): void {
    registrations.set(definition.name, {
      definition,
      run: (payload) => handler(definition.payload.parse(payload)),
    })
  }

  async function startQueue({ definition, run }: Registration): Promise<void> {
    const { name } = definition
    const queue = {
      retryLimit: definition.retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: definition.expireSeconds,
      heartbeatSeconds,
      retentionSeconds: 400 * 24 * 3600,
      deleteAfterSeconds: 7 * 24 * 3600,
      notify: true,
    }
    await boss.createQueue(name, { ...queue, policy: definition.cron === undefined ? 'standard' : 'short' })
    await boss.updateQueue(name, queue)
    if (!works) return
    if (definition.cron !== undefined) await boss.schedule(name, definition.cron, {}, { tz: 'UTC' })
    await boss.work(name, workOptions, async (jobs: Job<object>[]) => {
      const results: JobResult[] = []
      for (const job of jobs) results.push(await runJob(name, run, job))
      return results
    })
  }

  async function runJob(
    name: string,
    run: Registration['run'],
    { id, data }: Job<object>,
  ): Promise<JobResult> {
    try {
      await run(data)
      metrics.jobsDone.inc({ job: name, outcome: 'done' })
      return { id, status: 'completed' }
    } catch (error) {
      metrics.jobsDone.inc({ job: name, outcome: 'failed' })
      logger.warn({ err: error, job: name, jobId: id }, 'a job failed and will be tried again')
      return { id, status: 'failed', output: { message: messageOf(error) } }
    }
  }

  return {
    async enqueue(tx, job, payload, { startAfter } = {}) {
      await boss.send(job.name, payload, {
        db: fromPrisma(tx),
        ...(startAfter === undefined ? {} : { startAfter }),
      })
    },
    handle,
    async start() {
      await boss.start()
      started = true
      for (const registration of registrations.values()) await startQueue(registration)
    },
    async stop() {
      if (!started) return
      started = false
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

function messageOf(reason: unknown): string {
  const message =
    typeof reason === 'object' && reason !== null && 'message' in reason ? reason.message : reason
  return String(message)
}
