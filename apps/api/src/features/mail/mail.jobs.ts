import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

/** A member is to be told something about their account. */
export const sendEmail: JobDefinition<{ emailId: string }> = {
  name: 'mail.send-email',
  payload: z.object({ emailId: z.uuid() }),
  // As patient as the mails that carry codes.
  retries: 1_500,
  expireSeconds: 300,
}
