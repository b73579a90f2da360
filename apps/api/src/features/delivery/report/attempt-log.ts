import { type DeliveryAttempt, deliveryAttempt } from '@tidings/contracts/delivery/deliveries'
import { z } from 'zod'
import type { ListedDelivery } from '../ledger/report.repository.ts'
import { messageIdOf } from '../links/return-addresses.ts'

const storedLog = z
  .array(z.object({ at: z.coerce.date(), outcome: deliveryAttempt.shape.outcome, reply: z.string() }))
  .nullable()

/** Returns the outcome of the last attempt of a log; null without a log. */
export function lastOutcome(attemptLog: unknown): DeliveryAttempt['outcome'] | null {
  return storedLog.parse(attemptLog)?.at(-1)?.outcome ?? null
}

/** Returns the attempts of a delivery, oldest first, without one that is in flight. */
export function attemptsOf(row: ListedDelivery): DeliveryAttempt[] {
  const log = storedLog.parse(row.attemptLog) ?? onlyAttempt(row)
  const byTime = new Map(log.map((attempt) => [attempt.at.getTime(), attempt]))
  const messageId = messageIdOf(row.sentWith ?? row.id)
  return [...byTime.values()].map((attempt) => ({ ...attempt, at: attempt.at.toISOString(), messageId }))
}

function onlyAttempt({ state, attempts, claimedAt: at, reason }: ListedDelivery) {
  if (at === null || attempts === 0 || state === 'sending') return []
  return [{ at, outcome: outcomes[state], reply: state in replies ? (reason ?? '') : '' }]
}

/** The outcome of the only attempt, by the state. */
const outcomes = {
  sent: 'accepted',
  delivered: 'accepted',
  bounced: 'accepted',
  failed: 'permanent',
  unconfirmed: 'unknown',
  planned: 'temporary',
  held: 'temporary',
  suppressed: 'temporary',
} as const

const replies = { failed: true, unconfirmed: true, planned: true, held: true } as const
