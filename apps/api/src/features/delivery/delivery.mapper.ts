import type { DeskDelivery, Waiting, DeliveryMethod as WireMethod } from '@tidings/contracts/deliveries'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { maskAddress } from '#platform/email-address.ts'
import { idOf, keyOf } from '../editions/index.ts'
import { messageIdOf } from './delivery-email.ts'
import type { ListedDelivery } from './ledger/report.repository.ts'

type DeliveryMethod = ListedDelivery['method']

const wireMethods = {
  memo_email: 'memo-email',
  memo_sms: 'memo-sms',
  pdf_email: 'pdf-email',
  pdf_sms: 'pdf-sms',
  digest: 'digest',
} as const satisfies Record<DeliveryMethod, WireMethod>

const ownMethods: Record<WireMethod, DeliveryMethod> = {
  'memo-email': 'memo_email',
  'memo-sms': 'memo_sms',
  'pdf-email': 'pdf_email',
  'pdf-sms': 'pdf_sms',
  digest: 'digest',
}

export function toWireMethod(method: DeliveryMethod): WireMethod {
  return wireMethods[method]
}

export function fromWireMethod(method: WireMethod): DeliveryMethod {
  return ownMethods[method]
}

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
    messageId: messageIdOf(row.id),
    handedOverAt: row.attempts > 0 ? (row.claimedAt?.toISOString() ?? null) : null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
    editionVersion: row.editionVersion,
    waiting,
  }
}
