import { isDeepStrictEqual } from 'node:util'
import { fromPrisma, type Job, type JobResult, PgBoss, type QueueResult } from 'pg-boss'
import type { z } from 'zod'
import type { Db } from './database.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/** A kind of job: its name, the schema of its payload (ids, never content), and its retries. */
export type JobDefinition<T extends object> = {
  name: string
  payload: z.ZodType<T>
  /** Attempts after the first, with exponential backoff. */
  retries: number
  /** Timeout of one attempt, in seconds. */
  expireSeconds: number
  /** Schedule, in UTC: minute hour day month weekday. */
  cron?: string
}

export type Jobs = ReturnType<typeof createJobs>

// After this time without a heartbeat, another process takes over the job of one that was killed.
const heartbeatSeconds = 10
const workOptions = {
  // Notifications announce new jobs only; delayed and retried jobs are found by polling.
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
  // A batch size of one would also mean one job per poll.
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

type Registration = { definition: JobDefinition<object>; run: (payload: unknown) => Promise<void> }

/** Runs jobs in Postgres with pg-boss: a job is stored in the transaction of the rows it belongs to. */
export function createJobs(options: { url: string; logger: Logger; metrics: Metrics; works: boolean }) {
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
  // NOTE: workers report plain objects with a message, not Errors.
  boss.on('error', (error) => {
    const err = error instanceof Error ? error : new Error(messageOf(error))
    logger.warn({ err }, 'job queue error')
  })
  let started = false

  /** Registers the handler of a kind of job in this process. Call before `start`. A job may run twice. */
  function handle<T extends object>(
    definition: JobDefinition<T>,
    handler: (payload: T) => Promise<void>,
  ): void {
    registrations.set(definition.name, {
      definition,
      run: (payload) => handler(definition.payload.parse(payload)),
    })
  }

  async function startQueue(
    { definition, run }: Registration,
    stored: QueueResult | undefined,
  ): Promise<void> {
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
    const policy = definition.cron === undefined ? 'standard' : 'short'
    if (stored === undefined) await boss.createQueue(name, { ...queue, policy })
    else if (!isDeepStrictEqual({ ...stored, ...queue }, stored)) await boss.updateQueue(name, queue)
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
      logger.warn({ err: error, job: name, jobId: id }, 'job failed')
      return { id, status: 'failed', output: { message: messageOf(error) } }
    }
  }

  return {
    /** Stores the job in the transaction: it runs after the commit, or not at all. */
    async enqueue<T extends object>(
      tx: Db,
      job: JobDefinition<T>,
      payload: T,
      { startAfter }: { startAfter?: Date } = {},
    ): Promise<void> {
      await boss.send(job.name, payload, {
        db: fromPrisma(tx),
        ...(startAfter === undefined ? {} : { startAfter }),
      })
    },
    handle,
    /** Creates the queues and, unless this process only enqueues, starts the workers. */
    async start(): Promise<void> {
      await boss.start()
      started = true
      const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
      for (const [name, registration] of registrations) await startQueue(registration, queues.get(name))
    },
    /** Waits for running jobs, then stops. */
    async stop(): Promise<void> {
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
