import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = { alerts: { check(): Promise<void> } }

/** Emails the operator about what has begun, still lasts after an hour, or is over. */
export const checkAlerts: Job<object, Deps> = {
  name: 'alerts.check',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 300,
  run: (_payload, { alerts }) => alerts.check(),
}
