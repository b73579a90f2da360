import type { OrderChange, PlacedMemo } from '@tidings/contracts/desk/writing/orders'

/** An order that an edition had. */
export type OrderVersion = {
  id: string
  /** Since when and by whom; null for the order before the first change. */
  since: { at: string; editor: string } | null
  memos: readonly PlacedMemo[]
}

const sittingMs = 5 * 60_000

/** Returns the orders of an edition from its changes, newest first: one for each person and sitting. */
export function orderVersions(changes: readonly OrderChange[], hasOlder: boolean): OrderVersion[] {
  const lasting = changes.filter((change, index) => !isContinued(change, changes[index - 1]))
  const versions = lasting.map(({ id, at, editor, memos }) => ({ id, since: { at, editor }, memos }))
  const oldest = changes.at(-1)
  if (oldest === undefined || hasOlder) return versions
  return [...versions, { id: 'first', since: null, memos: oldest.before }]
}

/** Whether the same person went on to change the order in the same sitting. */
function isContinued(change: OrderChange, next: OrderChange | undefined): boolean {
  return (
    next !== undefined &&
    next.personId === change.personId &&
    next.editor === change.editor &&
    Date.parse(next.at) - Date.parse(change.at) < sittingMs
  )
}

/** Returns an earlier order for the memos of today. A newer memo stays behind the one that it follows now. */
export function restoredOrder(current: readonly string[], earlier: readonly string[]): string[] {
  const restored = earlier.filter((id) => current.includes(id))
  for (const [place, id] of current.entries()) {
    if (restored.includes(id)) continue
    const before = current[place - 1]
    restored.splice(before === undefined ? 0 : restored.indexOf(before) + 1, 0, id)
  }
  return restored
}
