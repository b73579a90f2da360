import type { DeliveryMethod, DeliveryState } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { blockingDomains } from './fill-recipients.ts'
import type { ReceivedMail } from './recording-mail-server.ts'

const blockedReply = '550 5.7.1 Messages from your network are on our block list'

type LedgerRow = {
  id: string
  memberId: string | null
  method: DeliveryMethod
  recipient: string
  state: DeliveryState
  reason: string | null
  editionVersion: number | null
  sentWith: string | null
}

export type Comparison = {
  /** The differences, a line for each delivery. */
  differences: readonly string[]
  /** By state and the start of the reason. */
  counts: Readonly<Record<string, number>>
}

/** Compares the ledger with the inbox, row by row. */
export async function compareLedgerAndInbox(
  db: Db,
  received: readonly ReceivedMail[],
  { runId, correctedVersion }: { runId: number; correctedVersion: number },
): Promise<Comparison> {
  const rows = await db.delivery.findMany({ where: { runId } })
  const members = await db.member.findMany({ select: { id: true, email: true } })
  const mails = Map.groupBy(received, ({ deliveryId }) => deliveryId ?? 'unknown')
  const rowsOf = Map.groupBy(rows, (row) => row.memberId)
  const ids = new Set(rows.map(messageOf))
  const withPdf = new Set(rows.filter(({ method }) => method === 'pdf_email').map(messageOf))
  const suppressed = await db.suppression.findMany({ where: { suppressedAt: { not: null } } })
  const gone = new Set(rows.flatMap(({ reason, recipient }) => (isGone(reason) ? [recipient] : [])))
  const differences = [
    ...rows.flatMap((row) => differencesOf(row, mails.get(messageOf(row)) ?? [], correctedVersion)),
    ...members.flatMap(({ id, email }) => differencesOfMember(email, rowsOf.get(id) ?? [])),
    ...received.flatMap(({ deliveryId, to, hasPdf }) =>
      hasPdf === withPdf.has(deliveryId ?? '') ? [] : [`${to} got ${hasPdf ? 'a' : 'no'} PDF`],
    ),
    ...suppressed.flatMap(({ address, reason }) =>
      gone.has(address) ? [] : [`${address} is suppressed, but exists (${reason})`],
    ),
    ...[...mails.keys()].flatMap((id) => (ids.has(id) ? [] : [`The inbox has ${id}, which is no delivery`])),
  ]
  return { differences, counts: countRows(rows) }
}

function isGone(reason: string | null): boolean {
  return reason?.startsWith('550 5.1.1') === true
}

/** Returns the delivery whose message carried a delivery. */
function messageOf({ id, sentWith }: LedgerRow): string {
  return sentWith ?? id
}

/** Compares what a member has in the ledger: a row for each method, and one message. */
function differencesOfMember(email: string, rows: readonly LedgerRow[]): string[] {
  if (rows.length === 0 || rows.some(({ recipient }) => recipient !== email))
    return [`${email} is not in the ledger`]
  // A delivery that has waited too long for its domain fails without a message.
  const messages = new Set(
    rows.map((row) => (row.state === 'failed' ? 'failed' : `${messageOf(row)} ${row.state}`)),
  )
  return messages.size === 1
    ? []
    : [`${email} has ${rows.map(({ method, state }) => `${method} ${state}`).join(' and ')} apart`]
}

function differencesOf(row: LedgerRow, mails: readonly ReceivedMail[], correctedVersion: number): string[] {
  const name = `${row.recipient} (${[row.state, row.reason].filter(Boolean).join(', ')})`
  const isCorrected = row.editionVersion === correctedVersion
  return [
    ...(isExpected(row, mails.length) ? [] : [`${name} has ${mails.length} messages in the inbox`]),
    ...mails.flatMap((mail) => {
      if (mail.to !== row.recipient) return [`${name} was sent to ${mail.to}`]
      return mail.isCorrected === isCorrected ? [] : [`${name} got another version than the ledger says`]
    }),
  ]
}

/** Returns whether this many messages fit what the ledger says about a delivery. */
export function isExpected(
  { state, reason, recipient }: Pick<LedgerRow, 'state' | 'reason' | 'recipient'>,
  count: number,
): boolean {
  if (state === 'sent') return count === 1
  if (state === 'unconfirmed') return reason !== null && count <= 1
  return state === 'failed' && reason !== null && count === 0 && expectedFailures(recipient).includes(reason)
}

/** Returns how a delivery may fail: its mailbox doesn't exist or is full, or its domain refuses the site for good. */
function expectedFailures(recipient: string): string[] {
  const isRefused = recipient.endsWith(`@${blockingDomains.forGood}`)
  return [
    '550 5.1.1 … does not exist',
    ...(isRefused ? [blockedReply] : []),
    ...(recipient.startsWith('full-') ? ['552 5.2.2 Mailbox full'] : []),
  ]
}

function countRows(rows: readonly LedgerRow[]): Record<string, number> {
  const counts = Map.groupBy(rows, ({ state, reason }) =>
    [state, reason?.split(' ').slice(0, 2).join(' ')].filter(Boolean).join(': '),
  )
  return Object.fromEntries([...counts].map(([name, of]) => [name, of.length]))
}
