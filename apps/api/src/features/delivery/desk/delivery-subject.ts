import type { CalendarDate } from '@tidings/contracts/edition-key'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { type EditionId, type EditionRow, findEdition, keyOf } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { fail } from '../delivery.errors.ts'
import { listDigestEditions } from '../ledger/digest-editions.repository.ts'
import { findRun, type RunRow, type RunSubject } from '../ledger/runs.repository.ts'

/** The subject of a desk call: an edition, or the digest of a day. */
export type DeliverySubject = { edition: EditionId } | { digest: CalendarDate }

/** Returns the edition key, or `digest-MM-DD-YY` for the audit log. */
export function nameOf(subject: DeliverySubject): string {
  return 'edition' in subject ? keyOf(subject.edition) : `digest-${formatWireDate(subject.digest)}`
}

/** Returns the subject of the run of an edition or digest. Throws `edition-not-found`. */
export async function getRunSubject(db: Db, subject: DeliverySubject): Promise<RunSubject> {
  if ('digest' in subject) return { digestDate: subject.digest }
  const edition = await findEdition(db, subject.edition)
  if (edition === null) throw fail('edition-not-found')
  return { editionId: edition.id }
}

/** Returns the run of an edition or digest; null if nothing is sent of it. Throws `edition-not-found`. */
export async function findRunOf(db: Db, subject: DeliverySubject): Promise<RunRow | null> {
  return await findRun(db, await getRunSubject(db, subject))
}

/** Returns the editions to preview: the edition, drafts too, or those that the digest of the day has now. */
export async function listEditionsOf(db: Db, subject: DeliverySubject): Promise<EditionRow[]> {
  if ('digest' in subject) return await listDigestEditions(db, subject.digest)
  const edition = await findEdition(db, subject.edition)
  return edition === null ? [] : [edition]
}
