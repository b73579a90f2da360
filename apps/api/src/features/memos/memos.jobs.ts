import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs/jobs.ts'

const memoJob = z.object({ memoId: z.uuid() })

/** Enqueued when a memo is added to a published edition. */
export const memoPublished: JobDefinition<z.infer<typeof memoJob>> = {
  name: 'memo.published',
  payload: memoJob,
  retries: 10,
  expireSeconds: 30,
  isUrgent: true,
}
