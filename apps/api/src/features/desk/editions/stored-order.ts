import type { EditionRow } from '#features/editions/index.ts'
import { listMemos, type MemoService } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { placeMemoCopy } from '../writing/working-copies.repository.ts'

/** Returns what stores the order of all memos: positions of those that readers have, places of the others. */
export function createOrderStore(memos: MemoService) {
  return async function storeOrder(tx: Db, edition: EditionRow, ids: readonly string[]): Promise<EditionRow> {
    const isPublic = new Set((await listMemos(tx, edition.id)).map(({ id }) => id))
    for (const [index, id] of ids.entries()) if (!isPublic.has(id)) await placeMemoCopy(tx, id, index + 1)
    return await memos.reorder(
      tx,
      edition,
      ids.filter((id) => isPublic.has(id)),
    )
  }
}
