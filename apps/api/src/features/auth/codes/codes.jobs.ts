import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

/** Looks up whether a requested code may be sent, and emails it. */
export const sendCode: JobDefinition<{ codeId: string }> = {
  name: 'auth.send-code',
  payload: z.object({ codeId: z.uuid() }),
  // About a day of retries, at most a minute apart. Codes that are too old are dropped earlier.
  retries: 1_500,
  // Five jobs run at a time, and a slow mail server may take most of a minute for each.
  expireSeconds: 300,
}
