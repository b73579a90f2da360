import type { DeliveryOutcome, StartedDelivery } from '../ledger/deliveries.repository.ts'
import { nextAttempt } from './retry-policy.ts'
import { type HandOverResult, replyOf } from './transports.ts'

/** What became of a message, before the ledger has it. */
export type Finished = { row: StartedDelivery; result: HandOverResult }

/** Returns what became of a delivery, and of the PDF that its message carried. */
export function outcomesOf(finished: Finished, times: { now: Date; since: Date }): DeliveryOutcome[] {
  const { id, pdf } = finished.row
  const outcome = { ...outcomeOf(finished, times), sentWith: null }
  if (pdf?.state !== 'sending') return [outcome]
  return [outcome, { ...outcome, id: pdf.id, sentWith: outcome.state === 'planned' ? null : id }]
}

function outcomeOf(
  { row: { id, attempts }, result }: Finished,
  { now, since }: { now: Date; since: Date },
): Omit<DeliveryOutcome, 'sentWith'> {
  if (result.outcome === 'accepted') return { id, state: 'sent', reason: null, nextAttemptAt: null }
  const reason = replyOf(result)
  if (result.outcome === 'permanent') return { id, state: 'failed', reason, nextAttemptAt: null }
  if (result.outcome === 'unknown') return { id, state: 'unconfirmed', reason, nextAttemptAt: null }
  // Others of the domain show first whether it refuses them too.
  const tries = result.outcome === 'blocked' && result.isPermanent ? attempts + 1 : attempts
  const nextAttemptAt = nextAttempt({ attempts: tries, now, since })
  return { id, state: nextAttemptAt === null ? 'failed' : 'planned', reason, nextAttemptAt }
}
