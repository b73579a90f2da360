import { z } from 'zod'
import { waitingForServer } from '#features/mail/index.ts'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = { invitations: { send(invitationId: string): Promise<void> } }

/** Emails an invitation while it is open. */
export const sendInvitation: Job<{ invitationId: string }, Deps> = {
  name: 'people.send-invitation',
  sends: 'invitations to the desk',
  payload: z.object({ invitationId: z.uuid() }),
  // About a day of retries, at most a minute apart.
  retries: 1_500,
  ...waitingForServer,
  run: ({ invitationId }, { invitations }) => invitations.send(invitationId),
}
