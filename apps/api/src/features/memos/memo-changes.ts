import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { notify } from '#platform/notifications/notifications.ts'
import { type EditionRow, idOf, keyOf } from '../editions/index.ts'

/** The notifications of changes that readers see; each process sends them to its live feed. */
export const memoChangesChannel = 'tidings_memo_changes'

const memoChanges = z.object({
  kind: z.enum(['changed', 'withdrawn']),
  /** Edition key: a withdrawn memo has no row to read it from. */
  edition: z.string(),
  memoIds: z.array(z.uuid()),
})
type MemoChanges = z.infer<typeof memoChanges>

export function parseMemoChanges(payload: string): MemoChanges {
  return memoChanges.parse(JSON.parse(payload))
}

/**
 * Notifies all processes when the transaction commits, if readers saw the edition before it. An edition's memos fit into
 * one notification.
 */
export async function notifyReaders(
  tx: Db,
  before: EditionRow,
  kind: MemoChanges['kind'],
  memoIds: readonly string[],
): Promise<void> {
  if (before.status !== 'published' || memoIds.length === 0) return
  const changes: MemoChanges = { kind, edition: keyOf(idOf(before)), memoIds: [...memoIds] }
  await notify(tx, memoChangesChannel, JSON.stringify(changes))
}
