import type { UnsavedMemo } from '@tidings/contracts/desk/unsaved'
import { mapDefined } from '#platform/fields.ts'
import { memoFields } from './memos.mapper.ts'
import type { MemoRow } from './memos.repository.ts'

/**
 * Returns the row that a memo would be stored as, though each of its fields may be empty. Cleans its HTML. Only a memo
 * that readers have gets the note of a correction.
 */
export function toUnsavedRow(
  { id, note, ...memo }: UnsavedMemo,
  { editionId, isPublic, position, siteLanguage, now, stored }: UnsavedPlace,
): MemoRow {
  const language = memo.language || siteLanguage
  const isNoted = isPublic && stored !== null && note !== ''
  return {
    ...mapDefined(memo, memoFields(language)),
    id: id ?? `unsaved-${position}`,
    editionId,
    position,
    likeCount: 0,
    isReady: memo.ready,
    note: isNoted ? note : (stored?.note ?? ''),
    notedAt: isNoted ? now : (stored?.notedAt ?? null),
    version: 0,
    fieldVersions: {},
    savedById: null,
    savedBy: '',
    textChangedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

type UnsavedPlace = {
  editionId: string
  /** Whether its edition is published. */
  isPublic: boolean
  position: number
  siteLanguage: string
  now: Date
  /** The memo as it is stored; null for one that readers can't have yet. */
  stored: MemoRow | null
}
