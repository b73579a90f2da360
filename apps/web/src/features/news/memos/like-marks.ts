import type { Store } from '#lib/storage/store.ts'

/** The mark that a device stores under a memo's id: liked, or liked once and unliked. */
type LikeMark = 'added' | 'origin'

/** Returns the device's mark for a memo; null before the first tap. */
export function findLikeMark(store: Store, memoId: string): LikeMark | null {
  const mark = store.get(memoId)
  return mark === 'added' || mark === 'origin' ? mark : null
}

export function saveLikeMark(store: Store, memoId: string, mark: LikeMark): void {
  store.set(memoId, mark)
}
