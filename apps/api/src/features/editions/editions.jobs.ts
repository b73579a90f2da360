import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

const editionJob = z.object({ editionId: z.uuid() })

/** Publishes one scheduled edition when its time has come. */
export const editionDue: JobDefinition<z.infer<typeof editionJob>> = {
  name: 'edition.due',
  payload: editionJob,
  retries: 20,
  expireSeconds: 60,
}

/** An edition has just been published; whoever carries it to readers handles this. */
export const editionPublished: JobDefinition<z.infer<typeof editionJob>> = {
  name: 'edition.published',
  payload: editionJob,
  retries: 10,
  expireSeconds: 30,
}

const nothing = z.object({})

/** Looks every minute for scheduled editions whose job was lost, so that none waits for ever. */
export const publishingSweep: JobDefinition<z.infer<typeof nothing>> = {
  name: 'publishing.sweep',
  payload: nothing,
  retries: 0,
  expireSeconds: 60,
  cron: '* * * * *',
}
