import type { DeskDelivery, Waiting } from '@tidings/contracts/delivery/deliveries'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { idOf, keyOf } from '#features/editions/index.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { maskAddress } from '#platform/text/email-address.ts'
import type { ListedDelivery } from '../ledger/report.repository.ts'
import { messageIdOf } from '../links/return-addresses.ts'
import { toWireMethod } from '../methods.ts'

/** Returns the edition key or the day of the digest. */
export function subjectOf({ date, slot, digestDate }: Pick<ListedDelivery, 'date' | 'slot' | 'digestDate'>) {
  return {
    edition: date === null || slot === null ? null : keyOf(idOf({ date, slot })),
    digest: digestDate === null ? null : formatWireDate(fromDatabaseDate(digestDate)),
  }
}

export function toDeskDelivery(row: ListedDelivery, waiting: Waiting | null): DeskDelivery {
  return {
    id: row.id,
    ...subjectOf(row),
    method: toWireMethod(row.method),
    state: row.state,
    member: row.memberId,
    recipient: row.recipient === '' ? '' : maskAddress(row.recipient),
    attempts: row.attempts,
    reason: row.reason,
    messageId: messageIdOf(row.sentWith ?? row.id),
    handedOverAt: row.attempts > 0 ? (row.claimedAt?.toISOString() ?? null) : null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
    editionVersion: row.editionVersion,
    waiting,
  }
}
