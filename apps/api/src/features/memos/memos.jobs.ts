import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

const memoJob = z.object({ memoId: z.uuid() })

/** A memo was added to an edition that is published already. */
export const memoPublished: JobDefinition<z.infer<typeof memoJob>> = {
  name: 'memo.published',
  payload: memoJob,
  retries: 10,
  expireSeconds: 30,
}
