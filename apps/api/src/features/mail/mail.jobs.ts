import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

/** Sends an email from the outbox. */
export const sendEmail: JobDefinition<{ emailId: string }> = {
  name: 'mail.send-email',
  payload: z.object({ emailId: z.uuid() }),
  // Retried for a day, in which a mail server may be unavailable. A slow one keeps each of five jobs for a minute.
  retries: 1_500,
  expireSeconds: 300,
}
