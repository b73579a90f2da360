import type { Waiting } from '@tidings/contracts/delivery/deliveries'
import { describeHold, type HoldReason } from '#platform/sending-guard/hold-reasons.ts'
import { withdrawnTexts } from '../delivery.errors.ts'
import { quietReason } from '../ledger/quiet-hours.repository.ts'
import type { RunFacts } from '../ledger/report.repository.ts'
import type { UnavailableServer } from '../ledger/server-state.repository.ts'
import type { transports } from '../transports.ts'
import { lastOutcome } from './attempt-log.ts'
import { type RefusingDomain, refusalOf } from './recipient-refusal.ts'
import type { WaitingRow } from './waiting.repository.ts'

/** The facts about all deliveries that explain why some wait. */
export type WaitingFacts = {
  now: Date
  hold: HoldReason | null
  unavailable: readonly UnavailableServer[]
  refusing: readonly RefusingDomain[]
  /** Formats an instant for editors. */
  format: (at: Date) => string
}

export type TransportName = (typeof transports)[number]['name']

const servers = { email: 'The mail server', sms: 'The SMS service', push: 'The push service' } as const

/** Returns why nothing of a run may be sent, or null. */
export function obstacleOf(run: RunFacts, { hold }: Pick<WaitingFacts, 'hold'>): Waiting | null {
  if (!run.isPublished) {
    return { reason: 'withdrawn', until: null, message: withdrawnTexts[run.isDigest ? 'digest' : 'edition'] }
  }
  if (run.state === 'stopped') {
    return { reason: 'stopped', until: null, message: 'An editor stopped it. Resume it to send the rest.' }
  }
  if (run.state === 'held') return { reason: 'held', until: null, message: run.heldReason ?? '' }
  return hold === null ? null : { reason: 'held', until: null, message: describeHold(hold) }
}

/** Returns why one delivery is tried again only later. */
export function retryReason(row: WaitingRow, transport: TransportName, facts: WaitingFacts): Waiting {
  const until = row.nextAttemptAt.toISOString()
  const again = `Tried again from ${facts.format(row.nextAttemptAt)} on.`
  const reply = row.reason === null || row.reason === '' ? '' : ` (${row.reason})`
  if (row.reason === quietReason) {
    const at = facts.format(row.nextAttemptAt)
    return {
      reason: 'quiet-hours',
      until,
      message: `It is night for these members (SMS_QUIET_HOURS). Texts are sent from ${at} on.`,
    }
  }
  const refusal = domainReason(row.recipient, facts)
  if (refusal !== null) return refusal
  const lastTry = lastOutcome(row.attemptLog)
  if (lastTry === 'blocked') {
    return { reason: 'domain-refuses', until, message: `The domain refused our email${reply}. ${again}` }
  }
  if (row.reason?.startsWith('render ')) {
    return { reason: 'pdf-failed', until, message: `The PDF could not be made. ${again}` }
  }
  if (lastTry === 'unavailable') {
    return {
      reason: 'server-unavailable',
      until,
      message: `${servers[transport]} took no messages${reply}. ${again}`,
    }
  }
  return { reason: 'rate-limit', until, message: `${servers[transport]} refused for now${reply}. ${again}` }
}

/** Returns that the domain of a recipient refuses our emails, or null. */
export function domainReason(recipient: string, facts: WaitingFacts): Waiting | null {
  const refusal = recipient.includes('@') ? refusalOf(recipient, facts.refusing) : undefined
  if (refusal === undefined) return null
  const { domain, until, reply } = refusal
  const message = `${domain} refuses our emails (${reply}). One is tried again from ${facts.format(until)} on, the others wait.`
  return { reason: 'domain-refuses', until: until.toISOString(), message }
}

/** Returns that more domains refuse our emails than are named, or null. */
export function otherDomains(count: number): Waiting | null {
  if (count <= 0) return null
  const message =
    count === 1 ? 'One more domain refuses our emails.' : `${count} more domains refuse our emails.`
  return { reason: 'domain-refuses', until: null, message }
}

/** Returns that the server is unavailable, or null. Deliveries that were not handed over yet wait for it. */
export function serverReason(transport: TransportName, facts: WaitingFacts): Waiting | null {
  const server = facts.unavailable.find((each) => each.transport === transport)
  if (server === undefined) return null
  const since = facts.format(server.unavailableSince)
  const reply = server.reason === '' ? '' : ` (${server.reason})`
  const message = `${servers[transport]} has taken no messages since ${since}${reply}. It is tried again each minute.`
  return { reason: 'server-unavailable', until: null, message }
}

export const noWorker: Waiting = {
  reason: 'no-worker',
  until: null,
  message: 'No worker sends it. Check that one is running and reaches the database.',
}

/** Returns that texts are sent at the pace that is set. */
export function paceReason(count: number, perSecond: number): Waiting {
  const message = `${count.toLocaleString('en-US')} texts wait, and ${perSecond} are sent each second (SMS_PER_SECOND).`
  return { reason: 'rate-limit', until: null, message }
}
