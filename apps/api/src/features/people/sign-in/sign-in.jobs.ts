import { z } from 'zod'
import { waitingForServer } from '#features/mail/index.ts'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = { deskSignIn: { sendLink(linkId: string): Promise<void> } }

/** Looks up whether a person has the address of a requested link, and emails it. */
export const sendSignInLink: Job<{ linkId: string }, Deps> = {
  name: 'people.send-sign-in-link',
  sends: 'sign-in links of the desk',
  payload: z.object({ linkId: z.uuid() }),
  // Until the link is over.
  retries: 20,
  ...waitingForServer,
  run: ({ linkId }, { deskSignIn }) => deskSignIn.sendLink(linkId),
}
