import { changesBetween, type WireObject } from '../protocol/wire-object.ts'
import type { Store } from './store.ts'

/** Tells of what is otherwise than before, with the earlier values; of nothing when nothing is. */
export function emitChange(
  store: Store,
  type: string,
  before: WireObject,
  now: WireObject,
  testClockId: string | null = null,
): void {
  const previous = changesBetween(before, now)
  if (Object.keys(previous).length > 0) store.emit(type, now, { previous, testClockId })
}
