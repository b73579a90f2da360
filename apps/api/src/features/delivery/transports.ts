import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import type { Db } from '#platform/database.ts'
import type { JobDefinition, Jobs } from '#platform/jobs/jobs.ts'
import { type RunJob, sendPushes, sendRun, sendSms } from './delivery.jobs.ts'
import type { DeliveryContent, DeliveryRecipient, MessageParts } from './delivery-email.ts'
import { isSmsMethod, methodsTo, smsMethods } from './methods.ts'

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
  /** Renders the message of all members whose messages have these parts. */
  prepare(content: DeliveryContent, parts: MessageParts, run: SentRun): Promise<HandOver>
  /** Called before the ledger stores a blocked message, or the result of a probe. Others of its domain wait. */
  followDomain(message: HandedOver, result: HandOverResult): Promise<void>
  /** Called after the ledger has stored a refusal. */
  refused(address: string, refusal: HandOverResult): Promise<void>
}

/** The run whose deliveries are handed over. */
export type SentRun = { id: number; sendAfter: Date }

export type HandedOver = { address: string; isProbe: boolean }

/**
 * `blocked`: the server refuses us, not this message's address. It is tried again, and others of its domain wait. With
 * `retryAt`, the server says from when on a message may be tried again.
 */
export type HandOverResult =
  | (BulkResult & { retryAt?: Date | null })
  | { outcome: 'blocked'; code: string; response: string; isPermanent: boolean }

/** Returns the server's reply with its code, once: the library's text repeats it. */
export function replyOf({ code, response }: { code: string; response: string }): string {
  return response.startsWith(code) ? response : `${code} ${response}`.trim()
}

/** Hands over one delivery, with how to stop if its text is to end so. Rejects only if it cannot be rendered. */
export type HandOver = (recipient: DeliveryRecipient & { stopNotice: boolean }) => Promise<HandOverResult>

export const emailTransport = {
  name: 'email',
  methods: methodsTo('email'),
  job: sendRun,
} as const satisfies TransportDefinition

export const smsTransport = {
  name: 'sms',
  methods: smsMethods,
  job: sendSms,
} as const satisfies TransportDefinition

export const pushTransport = {
  name: 'push',
  methods: ['web_push'],
  job: sendPushes,
} as const satisfies TransportDefinition

export const transports = [emailTransport, smsTransport, pushTransport] as const

/** Returns the transport of a method. */
export function transportOf(method: DeliveryRecipient['method']): (typeof transports)[number] {
  if (method === 'web_push') return pushTransport
  return isSmsMethod(method) ? smsTransport : emailTransport
}

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
