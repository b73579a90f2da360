import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { idOf, keyOf } from './edition-keys.ts'
import type { EditionRow } from './editions.repository.ts'

/** Returns whether readers had an edition that is a draft now. */
export function isWithdrawn({ status, withdrawnPublishedAt }: EditionRow): boolean {
  return status === 'draft' && withdrawnPublishedAt !== null
}

/** How many memos an edition has, and how many of them are ready. */
export type MemoCounts = { memoCount: number; readyCount: number }

export function toDeskEdition(
  edition: EditionRow,
  { memoCount, readyCount }: MemoCounts,
): DeskEditionSummary {
  const id = idOf(edition)
  return {
    key: keyOf(id),
    date: formatWireDate(id.date),
    slot: id.slot,
    status: edition.status,
    ...(isWithdrawn(edition) && { withdrawn: true }),
    heldReason: edition.heldReason,
    publishAt: edition.publishAt.toISOString(),
    publishedAt: edition.publishedAt?.toISOString() ?? null,
    deliver: edition.deliver,
    subject: edition.subject,
    memoCount,
    readyCount,
    version: edition.version,
    createdAt: edition.createdAt.toISOString(),
    updatedAt: edition.updatedAt.toISOString(),
  }
}
