import { type EditionId, type EditionRow, keyOf, type Publishing } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { fail } from '../desk.errors.ts'

/** Returns an edition, locked until the transaction ends. Throws `edition-not-found`. */
export async function getLocked(publishing: Publishing, tx: Db, id: EditionId): Promise<EditionRow> {
  const edition = await publishing.find(tx, id)
  if (edition === null) throw fail('edition-not-found', keyOf(id))
  return edition
}
