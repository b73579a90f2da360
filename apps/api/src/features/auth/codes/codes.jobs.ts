import { z } from 'zod'
import { waitingForServer } from '#features/mail/index.ts'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = { codes: { send(codeId: string): Promise<void> } }

/** Looks up whether a requested code may be sent, and emails it. */
export const sendCode: Job<{ codeId: string }, Deps> = {
  name: 'auth.send-code',
  sends: 'codes by email',
  payload: z.object({ codeId: z.uuid() }),
  // About a day of retries, at most a minute apart. Codes that are too old are dropped earlier.
  retries: 1_500,
  ...waitingForServer,
  run: ({ codeId }, { codes }) => codes.send(codeId),
}
