import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

/** A member is to be told something about their account. */
export const noticeWritten: JobDefinition<{ noticeId: string }> = {
  name: 'auth.notice-written',
  payload: z.object({ noticeId: z.uuid() }),
  // As patient as the mails that carry codes.
  retries: 1_500,
  expireSeconds: 300,
}
