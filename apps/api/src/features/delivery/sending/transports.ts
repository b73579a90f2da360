import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import type { Db } from '#platform/database.ts'
import type { JobDefinition, Jobs } from '#platform/jobs.ts'
import { type RunJob, sendRun, sendTexts } from '../delivery.jobs.ts'
import type { DeliveryContent, DeliveryRecipient, MessageParts } from '../delivery-email.ts'
import { methodsTo } from '../methods.ts'
import { textMethods } from '../texts/text-methods.ts'

/** A server that hands over deliveries. It has a queue and senders of its own, so that none waits for another server. */
export type TransportDefinition = {
  name: string
  methods: readonly DeliveryRecipient['method'][]
  job: JobDefinition<RunJob>
}

export type Transport = TransportDefinition & {
  /** How many deliveries a sender may have in flight. */
  concurrency: number
  /** Postpones the deliveries of a run that must not be sent at this time of the day. */
  postpone(runId: number): Promise<void>
  /** Renders what all members get whose messages have these parts. */
  prepare(content: DeliveryContent, parts: MessageParts): Promise<HandOver>
  /** Called after the ledger has a refusal for good. */
  refused(address: string, refusal: { code: string; response: string }): Promise<void>
}

/** Hands over one delivery, with how to stop if its text is to end so. Rejects only if it cannot be rendered. */
export type HandOver = (recipient: DeliveryRecipient & { stopNotice: boolean }) => Promise<BulkResult>

export const emailTransport = {
  name: 'email',
  methods: methodsTo('email'),
  job: sendRun,
} as const satisfies TransportDefinition

export const smsTransport = {
  name: 'sms',
  methods: textMethods,
  job: sendTexts,
} as const satisfies TransportDefinition

const transports: readonly TransportDefinition[] = [emailTransport, smsTransport]

/** Returns the transports without a sender, given the names of those with one. */
export function idleTransports(active: ReadonlySet<string> = new Set()): readonly TransportDefinition[] {
  return transports.filter(({ name }) => !active.has(name))
}

/** Enqueues the sending of a run by every transport. */
export async function enqueueSending(
  jobs: Jobs,
  tx: Db,
  runId: number,
  options?: { startAfter: Date },
): Promise<void> {
  for (const { job } of transports) await jobs.enqueue(tx, job, { runId }, options)
}
