import type { Store } from '../../lib/store.ts'

/** The mark a device keeps under a memo's id: liked, or liked once and taken back. */
export type LikeMark = 'added' | 'origin'

/** The device's mark for a memo; null before the first tap. */
export function readLikeMark(store: Store, memoId: string): LikeMark | null {
  const mark = store.get(memoId)
  return mark === 'added' || mark === 'origin' ? mark : null
}

/** Keeps the mark for a memo. */
export function keepLikeMark(store: Store, memoId: string, mark: LikeMark): void {
  store.set(memoId, mark)
}
