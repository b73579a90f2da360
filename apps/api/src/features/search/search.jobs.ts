import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = { search: { reindex(): Promise<unknown> } }

/** Indexes all texts again, in the language that the site has now. */
export const reindexTexts: Job<object, Deps> = {
  name: 'search.reindex',
  payload: z.object({}),
  retries: 10,
  expireSeconds: 3600,
  run: async (_payload, { search }) => {
    await search.reindex()
  },
}
