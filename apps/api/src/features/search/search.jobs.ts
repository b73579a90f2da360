import { z } from 'zod'
import type { Job } from '#platform/jobs.ts'

type Deps = { search: { reindex(): Promise<void> } }

/** Indexes texts anew, in the language that the site has now. */
export const reindexTexts: Job<object, Deps> = {
  name: 'search.reindex',
  payload: z.object({}),
  retries: 10,
  expireSeconds: 3600,
  run: (_payload, { search }) => search.reindex(),
}
