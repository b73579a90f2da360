import type { DeliveryOutcome, StartedDelivery } from '../ledger/deliveries.repository.ts'
import { backoffMinutes, longestRetryMs } from '../retry-times.ts'
import { type HandOverResult, replyOf } from '../transports.ts'

const minuteMs = 60_000

/** A message with its result, before the ledger has it. */
export type Finished = { row: StartedDelivery; result: HandOverResult }

/** Returns the outcomes of a delivery and of the PDF that its message carried. */
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
  const reason = result.outcome === 'accepted' ? null : replyOf(result)
  const ended = { id, reason, nextAttemptAt: null, attempt: result.outcome }
  switch (result.outcome) {
    case 'accepted':
      return { ...ended, state: 'sent' }
    case 'permanent':
      return { ...ended, state: 'failed' }
    case 'unknown':
      return { ...ended, state: 'unconfirmed' }
    default: {
      // Others of the domain show first whether it refuses them too.
      const tries = result.outcome === 'blocked' && result.isPermanent ? attempts + 1 : attempts
      const at = nextAttempt({ attempts: tries, now, since })
      const nextAttemptAt = at === null ? null : laterOf(at, 'retryAt' in result ? result.retryAt : null)
      return { ...ended, state: nextAttemptAt === null ? 'failed' : 'planned', nextAttemptAt }
    }
  }
}

/**
 * Returns when a delivery is tried again after a temporary refusal; null six hours after sending began. One that began
 * later, such as a text after quiet hours, is tried a few times all the same.
 */
function nextAttempt({ attempts, now, since }: { attempts: number; now: Date; since: Date }): Date | null {
  const minutes = backoffMinutes[Math.max(attempts - 1, 0)] ?? 60
  const at = new Date(now.getTime() + minutes * minuteMs)
  const isOver = at.getTime() - since.getTime() > longestRetryMs && attempts > backoffMinutes.length
  return isOver ? null : at
}

function laterOf(one: Date, other: Date | null | undefined): Date {
  return other && other > one ? other : one
}
