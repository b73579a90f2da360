import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

/** Looks up the account of a requested code and sends the code, if there is someone to send it to. */
export const sendCode: JobDefinition<{ codeId: string }> = {
  name: 'auth.send-code',
  payload: z.object({ codeId: z.uuid() }),
  // As the job that sends other emails. The service gives up old codes.
  retries: 1_500,
  expireSeconds: 300,
}
