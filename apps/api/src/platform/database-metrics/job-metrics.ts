import { z } from 'zod'
import type { Database } from '../database.ts'
import { queryRows } from '../query-rows.ts'
import type { DatabaseMetrics } from './database-metrics.ts'

const queueRowSchema = z.object({
  queue: z.string(),
  waiting: z.int(),
  oldestSeconds: z.number(),
  delayed: z.int(),
  active: z.int(),
  dead: z.int(),
})

/** Reads the queues. An index has the jobs that wait; a worker counts the others every 10 seconds. */
async function listQueues({ sql }: Pick<Database, 'sql'>) {
  return await queryRows(sql, queueRowSchema)`
    SELECT queue.name AS queue, coalesce(job.waiting, 0)::int AS waiting,
      coalesce(extract(epoch FROM now() - job.oldest), 0)::float8 AS "oldestSeconds",
      coalesce(job.delayed, 0)::int AS delayed, queue.active_count AS active, queue.failed_count AS dead
    FROM jobs.queue LEFT JOIN (
      SELECT name, count(*) FILTER (WHERE start_after <= now()) AS waiting,
        min(start_after) FILTER (WHERE start_after <= now()) AS oldest,
        count(*) FILTER (WHERE start_after > now()) AS delayed
      FROM jobs.job WHERE state < 'active' AND NOT blocked GROUP BY name
    ) AS job ON job.name = queue.name
    WHERE left(queue.name, 2) <> '__'
    ORDER BY 1`
}

const deadRowSchema = z.object({ job: z.string(), dead: z.int(), since: z.date() })

/** Counts the jobs that have died since a moment, by queue. Reads the jobs only if a worker counted dead ones. */
export async function listDied(
  { sql }: Pick<Database, 'sql'>,
  since: Date,
): Promise<z.infer<typeof deadRowSchema>[]> {
  const queues = await listQueues({ sql })
  if (!queues.some(({ dead }) => dead > 0)) return []
  return await queryRows(sql, deadRowSchema)`
    SELECT name AS job, count(*)::int AS dead, min(completed_on) AS since FROM jobs.job
    WHERE state = 'failed' AND completed_on > ${since} GROUP BY name ORDER BY name`
}

/** Exports what waits in the queues, and the jobs whose last attempt failed. */
export function exportJobs({
  databaseMetrics,
  database,
}: {
  databaseMetrics: DatabaseMetrics
  database: Database
}): void {
  const jobs = databaseMetrics.gauge({
    name: 'tidings_queue_jobs',
    help: 'Jobs by queue: waiting to be run now, delayed until later (retries too), active, and dead: failed for good, kept for 7 days',
    labelNames: ['queue', 'state'],
  })
  const oldest = databaseMetrics.gauge({
    name: 'tidings_queue_oldest_job_seconds',
    help: 'How long the oldest job of a queue has been waiting to be run; 0 if none waits',
    labelNames: ['queue'],
  })
  databaseMetrics.fill('jobs', [jobs, oldest], async () =>
    (await listQueues(database)).flatMap(({ queue, oldestSeconds, ...counts }) => [
      ...(['waiting', 'delayed', 'active', 'dead'] as const).map((state) => ({
        gauge: jobs,
        labels: { queue, state },
        value: counts[state],
      })),
      { gauge: oldest, labels: { queue }, value: oldestSeconds },
    ]),
  )
}
