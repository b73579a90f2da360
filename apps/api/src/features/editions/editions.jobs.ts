import { z } from 'zod'
import type { Job, JobDefinition } from '#platform/jobs/jobs.ts'

type Deps = { publishing: { publishIfDue(editionId: string): Promise<void>; sweep(): Promise<void> } }

const editionJob = z.object({ editionId: z.uuid() })

/** Publishes a scheduled edition at its time, or holds it. */
export const editionDue: Job<z.infer<typeof editionJob>, Deps> = {
  name: 'edition.due',
  payload: editionJob,
  retries: 20,
  // It also plans the deliveries: of a million members, for up to two minutes.
  expireSeconds: 180,
  run: ({ editionId }, { publishing }) => publishing.publishIfDue(editionId),
}

/** Enqueued when an edition is published; the live feed announces it. */
export const editionPublished: JobDefinition<z.infer<typeof editionJob>> = {
  name: 'edition.published',
  payload: editionJob,
  retries: 10,
  expireSeconds: 30,
  isUrgent: true,
}

/** Publishes scheduled editions whose own job was lost, within a minute of their time. */
export const publishingSweep: Job<object, Deps> = {
  name: 'publishing.sweep',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 180,
  run: (_payload, { publishing }) => publishing.sweep(),
}
