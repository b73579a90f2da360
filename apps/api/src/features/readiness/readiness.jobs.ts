import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'

const linksJob = z.object({ linkIds: z.array(z.uuid()) })
type LinksJob = z.infer<typeof linksJob>

/** Enqueued when an editor asks whether an edition is ready. Asking a link twice does no harm. */
export const checkLinks: Job<LinksJob, { linkChecks: { run(linkIds: readonly string[]): Promise<void> } }> = {
  name: 'readiness.check-links',
  payload: linksJob,
  retries: 1,
  expireSeconds: 120,
  batchesAtOnce: 2,
  // An editor waits for it.
  isUrgent: true,
  run: ({ linkIds }, { linkChecks }) => linkChecks.run(linkIds),
}
