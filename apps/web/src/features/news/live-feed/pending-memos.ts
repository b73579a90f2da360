import type { NewMemo } from './new-memo.ts'

export type PendingMemosEvent = { type: 'arrived'; arrival: NewMemo } | { type: 'shown'; editionKey: string }

/**
 * Returns the next list of memos that are not shown yet, because they would move what the reader is reading. They are
 * in order of arrival, each memo once.
 */
export function pendingMemosReducer(
  pending: readonly NewMemo[],
  event: PendingMemosEvent,
): readonly NewMemo[] {
  switch (event.type) {
    case 'arrived':
      return [...pending.filter(({ memo }) => memo.id !== event.arrival.memo.id), event.arrival]
    case 'shown':
      return pending.some(({ editionKey }) => editionKey === event.editionKey)
        ? pending.filter(({ editionKey }) => editionKey !== event.editionKey)
        : pending
  }
}
