import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  type JobResult,
  type Job as JobRow,
  PgBoss,
  type Db as QueueDatabase,
  type QueueResult,
} from 'pg-boss'
import { z } from 'zod'
import { afterCommit, type Sql } from '../database.ts'
import { hasCode } from '../errors.ts'
import { createRepeatedWarning, type Logger, type RepeatedWarning, reasonOf } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { jobsSchema } from './jobs-schema.ts'

/** A kind of job: its name, the schema of its payload (ids, never content), and its retries. */
export type JobDefinition<T extends object> = {
  name: string
  payload: z.ZodType<T>
  /** Attempts after the first, with exponential backoff. */
  retries: number
  /** Timeout of one attempt, in seconds. */
  expireSeconds: number
  /** How many jobs a process takes at once, to run them one after another. By default, five. */
  batchSize?: number
  /**
   * How many batches a process runs at once, for jobs that may wait long for another server. The jobs of such a batch run
   * at once too. By default, one batch.
   */
  batchesAtOnce?: number
  /** Starts at the commit, however many other jobs begin. For few jobs: its NOTIFY is in the transaction (ADR 97). */
  isUrgent?: boolean
  /** Names for operators what the job sends or changes at Stripe. It waits while sending is held. */
  sends?: string
}

/** A kind of job with its handler. A job may run twice. */
export type Job<T extends object, Deps> = JobDefinition<T> & {
  run: (payload: T, deps: Deps) => Promise<unknown>
}

/** In UTC: minute hour day month weekday. */
export type Schedule = { cron: string }

export type Jobs = ReturnType<typeof createJobs>

// After this time without a heartbeat, another process takes over the job of one that was killed.
const heartbeatSeconds = 10
const pollSeconds = 2
/** The channel on which pg-boss hears the names of queues with new jobs. */
export const jobsChannel = `pgboss_${createHash('sha224').update(jobsSchema).digest('hex').slice(0, 24)}`
const workOptions = {
  // One poll for all queues replaces a poll for each.
  pollingIntervalSeconds: 3600,
  // A batch size of one would also mean one job per poll.
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

const queuesWithDueJobs = `
  SELECT name FROM unnest($1::text[]) AS queue (name) WHERE EXISTS (
    SELECT FROM jobs.job
    WHERE job.name = queue.name AND state < 'active' AND NOT blocked AND start_after <= jobs.job_now()
  )`
const allowOneMoreRetry = 'UPDATE jobs.job SET retry_limit = retry_limit + 1 WHERE name = $1 AND id = $2'
const retryHeldNow = `
  UPDATE jobs.job SET start_after = jobs.job_now()
  WHERE state = 'retry' AND output ->> 'message' = 'sending-held'`
const countWaiting = `
  SELECT name, count(*)::int AS count, min(created_on) AS since FROM jobs.job
  WHERE name = ANY ($1::text[]) AND state < 'completed' GROUP BY name ORDER BY name`
const waitingRows = z.array(z.object({ name: z.string(), count: z.int(), since: z.date() }))
const queueRows = z.array(z.object({ name: z.string() }))

type Registration = {
  definition: JobDefinition<object>
  run: (payload: unknown) => Promise<unknown>
  schedule: Schedule | undefined
}

type Names = readonly string[]

type Options = {
  url: string
  applicationName: string
  logger: Logger
  metrics: Metrics
  /** Notifies the workers of new jobs, outside of the transaction. */
  coalesced: { topic(channel: string, toPayloads: (queues: Names) => Names): (queues: Names) => void }
}

/** Runs jobs in Postgres with pg-boss: a job is stored in the transaction of the rows it belongs to. */
export function createJobs(options: Options) {
  const registrations = new Map<string, Registration>()
  const warn = createRepeatedWarning(options.logger, 'job queue error')
  const announce = options.coalesced.topic(jobsChannel, (queues) => queues)
  let boss: PgBoss | null = null
  let stopping = new AbortController()

  return {
    /** Registers the handler of a kind of job, and its schedule. Call before `start`. A job may run twice. */
    handle<T extends object>(
      definition: JobDefinition<T>,
      handler: (payload: T) => Promise<unknown>,
      schedule?: Schedule,
    ): void {
      const run = (payload: unknown) => handler(definition.payload.parse(payload))
      registrations.set(definition.name, { definition, run, schedule })
    },
    /** Stores the job in the transaction: it runs after the commit, or not at all. */
    async enqueue<T extends object>(
      tx: Sql,
      job: JobDefinition<T>,
      payload: T,
      { startAfter }: { startAfter?: Date | { seconds: number } } = {},
    ): Promise<void> {
      if (boss === null) throw new Error('The jobs are not started')
      await boss.send(job.name, payload, {
        db: queriesOf(tx),
        ...(startAfter !== undefined && {
          startAfter: startAfter instanceof Date ? startAfter : startAfter.seconds,
        }),
      })
      // A worker that doesn't hear of it polls.
      if (startAfter !== undefined) return
      if (job.isUrgent === true) await tx.$queryRaw`SELECT pg_notify(${jobsChannel}, ${job.name})::text`
      else afterCommit(tx, () => announce([job.name]))
    },
    /** Stores jobs of one kind in one statement of the transaction. */
    async enqueueAll<T extends object>(
      tx: Sql,
      job: JobDefinition<T>,
      payloads: readonly T[],
    ): Promise<void> {
      if (boss === null) throw new Error('The jobs are not started')
      if (payloads.length === 0) return
      const jobs = payloads.map((data) => ({ data }))
      await boss.insert(job.name, jobs, { db: queriesOf(tx) })
      afterCommit(tx, () => announce([job.name]))
    },
    /** Lets the jobs that wait because sending was held run now. */
    async retryHeld(): Promise<void> {
      if (boss === null) throw new Error('The jobs are not started')
      await boss.getDb().executeSql(retryHeldNow)
    },
    /** Lists what the waiting jobs send, with the time of the oldest one. Scheduled jobs are not waiting. */
    async listOutgoing(): Promise<{ what: string; count: number; since: Date }[]> {
      if (boss === null) throw new Error('The jobs are not started')
      const sends = new Map<string, string>()
      for (const [name, { definition, schedule }] of registrations)
        if (definition.sends !== undefined && schedule === undefined) sends.set(name, definition.sends)
      const { rows } = await boss.getDb().executeSql(countWaiting, [[...sends.keys()]])
      return waitingRows.parse(rows).map(({ name, ...row }) => ({ what: sends.get(name) ?? name, ...row }))
    },
    /** Creates the queues. `works` is whether this process runs jobs, or only enqueues them. */
    async start({ works }: { works: boolean }): Promise<void> {
      const pgBoss = createBoss(options, works, warn)
      await pgBoss.start()
      boss = pgBoss
      const stored = new Map((await pgBoss.getQueues()).map((queue) => [queue.name, queue]))
      const workers = new Map<string, string[]>()
      for (const [name, registration] of registrations) {
        await syncQueue(pgBoss, registration, { works, stored: stored.get(name) })
        if (works) workers.set(name, await startWorkers(pgBoss, registration, options))
      }
      stopping = new AbortController()
      if (works) void pollQueues(pgBoss, workers, { warn, signal: stopping.signal })
    },
    /** Waits for running jobs, then stops. */
    async stop(): Promise<void> {
      stopping.abort()
      await boss?.stop({ graceful: true, timeout: 10_000 })
      boss = null
    },
  }
}

function createBoss({ url, applicationName }: Options, works: boolean, warn: RepeatedWarning): PgBoss {
  const created = new PgBoss({
    connectionString: url,
    application_name: `${applicationName} jobs`,
    schema: jobsSchema,
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
  created.on('error', (error) => warn({ reason: reasonOf(error) }))
  return created
}

/** Creates or updates a queue in the database, and its schedule if this process works. */
async function syncQueue(
  pgBoss: PgBoss,
  { definition, schedule }: Registration,
  { works, stored }: { works: boolean; stored: QueueResult | undefined },
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
    // In the transaction, which takes a global lock at commit (ADR 97).
    notify: false,
  }
  const policy = schedule === undefined ? 'standard' : 'short'
  if (stored === undefined) await pgBoss.createQueue(name, { ...queue, policy })
  else if (!isDeepStrictEqual({ ...stored, ...queue }, stored)) await pgBoss.updateQueue(name, queue)
  if (works && schedule !== undefined) await pgBoss.schedule(name, schedule.cron, {}, { tz: 'UTC' })
}

/** Starts the workers of a queue and returns their ids. */
async function startWorkers(pgBoss: PgBoss, registration: Registration, options: Options): Promise<string[]> {
  const { name, batchSize = workOptions.batchSize, batchesAtOnce } = registration.definition
  const run = (job: JobRow<object>) => runJob(pgBoss, job, registration, options)
  const inTurn = async (jobs: JobRow<object>[]) => {
    const results: JobResult[] = []
    for (const job of jobs) results.push(await run(job))
    return results
  }
  const atOnce = async (jobs: JobRow<object>[]) => await Promise.all(jobs.map(run))
  const workers: string[] = []
  for (let each = 0; each < (batchesAtOnce ?? 1); each += 1) {
    const handler = batchesAtOnce === undefined ? inTurn : atOnce
    workers.push(await pgBoss.work(name, { ...workOptions, batchSize }, handler))
  }
  return workers
}

async function runJob(
  pgBoss: PgBoss,
  { id, data }: JobRow<object>,
  { definition: { name }, run, schedule }: Registration,
  { logger, metrics }: Options,
): Promise<JobResult> {
  try {
    await run(data)
    metrics.jobsDone.inc({ queue: name, outcome: 'done' })
    return { id, status: 'completed' }
  } catch (error) {
    if (hasCode(error, 'sending-held')) {
      metrics.jobsDone.inc({ queue: name, outcome: 'held' })
      // A scheduled job runs again by itself.
      if (schedule !== undefined) return { id, status: 'completed' }
      await pgBoss.getDb().executeSql(allowOneMoreRetry, [name, id])
      return { id, status: 'failed', output: { message: error.code } }
    }
    metrics.jobsDone.inc({ queue: name, outcome: 'failed' })
    logger.warn({ err: error, job: name, jobId: id }, 'job failed')
    return { id, status: 'failed', output: { message: messageOf(error) } }
  }
}

/** Wakes the workers of delayed and retried jobs, and of those whose notification was lost. */
async function pollQueues(
  pgBoss: PgBoss,
  workers: ReadonlyMap<string, string[]>,
  { warn, signal }: { warn: RepeatedWarning; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { rows } = await pgBoss.getDb().executeSql(queuesWithDueJobs, [[...workers.keys()]])
      for (const { name } of queueRows.parse(rows)) {
        for (const worker of workers.get(name) ?? []) pgBoss.notifyWorker(worker)
      }
    } catch (error) {
      if (!signal.aborted) warn({ reason: reasonOf(error) })
    }
    await setTimeout(pollSeconds * 1000, undefined, { signal }).catch(() => undefined)
  }
}

/** Runs pg-boss's statements in a transaction. */
function queriesOf(tx: Sql): QueueDatabase {
  return {
    executeSql: async (text, values = []) => ({ rows: await tx.$queryRawUnsafe(text, ...values) }),
  }
}

function messageOf(reason: unknown): string {
  const message =
    typeof reason === 'object' && reason !== null && 'message' in reason ? reason.message : reason
  return String(message)
}
