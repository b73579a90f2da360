import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

const editionJob = z.object({ editionId: z.uuid() })

/** Publishes a scheduled edition at its time. */
export const editionDue: JobDefinition<z.infer<typeof editionJob>> = {
  name: 'edition.due',
  payload: editionJob,
  retries: 20,
  expireSeconds: 60,
}

/** Announces an edition that was just published. */
export const editionPublished: JobDefinition<z.infer<typeof editionJob>> = {
  name: 'edition.published',
  payload: editionJob,
  retries: 10,
  expireSeconds: 30,
}

const nothing = z.object({})

/** Publishes scheduled editions whose own job was lost, within a minute of their time. */
export const publishingSweep: JobDefinition<z.infer<typeof nothing>> = {
  name: 'publishing.sweep',
  payload: nothing,
  retries: 0,
  expireSeconds: 60,
  cron: '* * * * *',
}
