import type { UnsavedMemo } from '@tidings/contracts/desk/writing/previews'
import { mapDefined } from '#platform/fields.ts'
import { memoFields } from './memos.mapper.ts'
import type { MemoRow } from './memos.repository.ts'

/** Returns the row that a memo would be stored as, though each of its fields may be empty. Cleans its HTML. */
export function toUnsavedRow(
  { id, ...memo }: UnsavedMemo,
  { editionId, position, siteLanguage, now }: UnsavedPlace,
): MemoRow {
  const language = memo.language || siteLanguage
  return {
    ...mapDefined(memo, memoFields(language)),
    id: id ?? `unsaved-${position}`,
    editionId,
    position,
    likeCount: 0,
    isReady: memo.ready,
    note: '',
    notedAt: null,
    version: 0,
    fieldVersions: {},
    savedById: null,
    savedBy: '',
    textChangedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

type UnsavedPlace = { editionId: string; position: number; siteLanguage: string; now: Date }
