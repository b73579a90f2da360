import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'

/** For jobs that hand an email to the server, which may take ten minutes to reply: the others don't wait for it. */
export const waitingForServer = { expireSeconds: 900, batchesAtOnce: 3 } as const

type Deps = { emails: { send(emailId: string): Promise<void> } }

export const sendEmail: Job<{ emailId: string }, Deps> = {
  name: 'mail.send-email',
  sends: 'emails about accounts and payments',
  payload: z.object({ emailId: z.uuid() }),
  // Retried for a day, in which a mail server may be unavailable.
  retries: 1_500,
  ...waitingForServer,
  run: ({ emailId }, { emails }) => emails.send(emailId),
}

type CheckDeps = { mailServers: { check(): Promise<void> } }

/** Reads the features of the mail servers, which their operators may have changed. */
export const checkMailServers: Job<object, CheckDeps> = {
  name: 'mail.check-servers',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 120,
  run: (_payload, { mailServers }) => mailServers.check(),
}
