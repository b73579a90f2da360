import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'

type Deps = { accountDeletion: { close(memberId: string): Promise<void>; sweep(): Promise<void> } }

/** Settles the payments of a deleted account. Retries for about a day, as the backoff grows to a minute. */
export const closeAccount: Job<{ memberId: string }, Deps> = {
  name: 'account-deletion.close',
  sends: 'deleted accounts, whose plans are canceled at Stripe',
  payload: z.object({ memberId: z.string() }),
  retries: 1_500,
  expireSeconds: 900,
  run: ({ memberId }, { accountDeletion }) => accountDeletion.close(memberId),
}

/** Continues the deletions whose job was lost or that wait for a payment, a refund or another sale. */
export const deletionSweep: Job<object, Deps> = {
  name: 'account-deletion.sweep',
  sends: 'deleted accounts',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 240,
  run: (_payload, { accountDeletion }) => accountDeletion.sweep(),
}
