import type { UnsavedMemo } from '@tidings/contracts/desk/previews'
import { cleanField, mapDefined } from '#platform/fields.ts'
import { contentField, memoFields } from './memos.mapper.ts'
import type { MemoRow } from './memos.repository.ts'

/** Returns the row that a memo would be stored as, though each of its fields may be empty. Cleans its HTML. */
export function toUnsavedRow(
  { id, ...memo }: UnsavedMemo,
  { editionId, position, siteLanguage, now }: UnsavedPlace,
): MemoRow {
  const language = memo.language || siteLanguage
  const fields = {
    ...memoFields(language),
    memo_content: (html: string) => ({ content: cleanField(html, contentField(language)) }),
  }
  return {
    ...mapDefined(memo, fields),
    id: id ?? `unsaved-${position}`,
    editionId,
    position,
    likeCount: 0,
    version: 0,
    textChangedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

type UnsavedPlace = { editionId: string; position: number; siteLanguage: string; now: Date }
