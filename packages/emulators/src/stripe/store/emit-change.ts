import { changesBetween, type WireObject } from '../protocol/wire-object.ts'
import type { World } from './store.ts'

/** Tells of what is otherwise than before, with the earlier values; of nothing when nothing is. */
export function emitChange(
  world: World,
  type: string,
  before: WireObject,
  now: WireObject,
  testClockId: string | null = null,
): void {
  const previous = changesBetween(before, now)
  if (Object.keys(previous).length > 0) world.emit(type, now, { previous, testClockId })
}
