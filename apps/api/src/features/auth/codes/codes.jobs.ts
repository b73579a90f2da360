import { z } from 'zod'
import type { JobDefinition } from '#platform/jobs.ts'

/** A code was asked for: find out whether there is somebody to send it to, and send it. */
export const sendCode: JobDefinition<{ codeId: string }> = {
  name: 'auth.send-code',
  payload: z.object({ codeId: z.uuid() }),
  // With pauses of a minute at most: for as long as a mail server may be away. Old codes are given up by themselves.
  retries: 1_500,
  // Jobs are taken five at a time, and a slow mail server may keep each for most of a minute.
  expireSeconds: 300,
}
