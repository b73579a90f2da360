import { z } from 'zod'
import type { Job } from '#platform/jobs.ts'
import type { RenewalNotices } from './renewal-notices.service.ts'

/** Tells members about the renewals of the next weeks. A failed run continues where it ended. */
export const sendRenewalNotices: Job<object, { renewalNotices: RenewalNotices }> = {
  name: 'billing.renewal-notices',
  payload: z.object({}),
  retries: 30,
  expireSeconds: 4 * 3600,
  run: (_payload, { renewalNotices }) => renewalNotices.send(),
}
