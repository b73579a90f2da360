import { z } from 'zod'
import type { Job, JobDefinition } from '#platform/jobs/jobs.ts'

const runJob = z.object({ runId: z.int() })
export type RunJob = z.infer<typeof runJob>

/** Enqueued for the time at which the emails of a run may be sent, once for each sender. */
export const sendRun: JobDefinition<RunJob> = {
  name: 'delivery.send',
  payload: runJob,
  retries: 20,
  expireSeconds: 6 * 3600,
  // Other workers take the other jobs of a run.
  batchSize: 1,
}

/** Sends the emails of a run. Several of these jobs share one run. */
export const deliverRun: Job<RunJob, { sending: { send(runId: number): Promise<void> } }> = {
  ...sendRun,
  run: ({ runId }, { sending }) => sending.send(runId),
}

/** Enqueued for the time at which the texts of a run may be sent, once for each sender. */
export const sendSms: JobDefinition<RunJob> = { ...sendRun, name: 'delivery.send-texts' }

/** Sends the texts of a run. */
export const deliverSms: Job<RunJob, { smsSending: { send(runId: number): Promise<void> } }> = {
  ...sendSms,
  run: ({ runId }, { smsSending }) => smsSending.send(runId),
}

/** Enqueued for the time at which the notifications of a run may be sent, once for each sender. */
export const sendPushes: JobDefinition<RunJob> = { ...sendRun, name: 'delivery.send-pushes' }

/** Sends the notifications of a run. */
export const deliverPushes: Job<RunJob, { pushSending: { send(runId: number): Promise<void> } }> = {
  ...sendPushes,
  run: ({ runId }, { pushSending }) => pushSending.send(runId),
}

const noteJob = z.object({ noteId: z.uuid() })

/** Enqueued when an editor sends a note about a correction. */
export const sendCorrection: JobDefinition<z.infer<typeof noteJob>> = {
  name: 'delivery.send-correction',
  sends: 'notes about corrections',
  payload: noteJob,
  retries: 20,
  expireSeconds: 6 * 3600,
  batchSize: 1,
}

/** Sends a note to the members who got the old text. */
export const deliverCorrection: Job<
  z.infer<typeof noteJob>,
  { correctionSending: { send(noteId: string): Promise<void> } }
> = {
  ...sendCorrection,
  run: ({ noteId }, { correctionSending }) => correctionSending.send(noteId),
}

const verification = z.object({ memberId: z.string(), verifiedAt: z.iso.datetime() })

/** Enqueued when a number is verified. */
export const confirmProgram: Job<
  z.infer<typeof verification>,
  { programSms: { confirm(verification: { memberId: string; verifiedAt: Date }): Promise<void> } }
> = {
  name: 'delivery.confirm-program',
  sends: 'texts that confirm numbers',
  payload: verification,
  // For about a day: later, the text would surprise its reader.
  retries: 1_440,
  expireSeconds: 60,
  run: ({ memberId, verifiedAt }, { programSms }) =>
    programSms.confirm({ memberId, verifiedAt: new Date(verifiedAt) }),
}

/** Recovers the claims of lost workers, plans the digest, and continues runs whose job was lost or that retry. */
export const deliverySweep: Job<object, { deliverySchedule: { sweep(): Promise<void> } }> = {
  name: 'delivery.sweep',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 180,
  run: (_payload, { deliverySchedule }) => deliverySchedule.sweep(),
}
