import type { DeskMemo, MemoChange } from '@tidings/contracts/desk/editions'
import { formatWireDate } from '@tidings/contracts/edition-key'
import type { Memo } from '@tidings/contracts/editions'
import { limits } from '@tidings/contracts/limits'
import type { NewMemoEvent } from '@tidings/contracts/live-feed'
import { cleanBody, cleanField, type FieldTable, singleLine } from '#platform/fields.ts'
import { type EditionRow, idOf, keyOf } from '../editions/index.ts'
import type { MemoRow, MemoWithEdition } from './memos.repository.ts'

/** The columns that each key of a draft or change sets. `position` moves other memos too, so the service handles it. */
export const memoFields = {
  title: (title) => ({ title: singleLine('title', title) }),
  memo_content: (html) => ({ content: cleanBody('memo_content', html, limits.memoContentCharacters) }),
  source: (source) => ({ source: singleLine('source', source) }),
  media: (file) => ({ mediaFile: file === '' ? null : file }),
  media_title: (title) => ({ mediaTitle: singleLine('media_title', title) }),
  media_text: (html) => ({ mediaText: cleanField('media_text', html, limits.mediaTextCharacters) }),
  language: (language) => ({ language }),
} satisfies FieldTable<Omit<MemoChange, 'position'>>

/** Returns the keys that readers and editors both get. */
function toSharedKeys(row: MemoRow) {
  return {
    title: row.title,
    media: row.mediaFile ?? '',
    media_text: row.mediaText,
    media_title: row.mediaTitle,
    memo_content: row.content,
    source: row.source,
    counter: row.likeCount,
  }
}

export function toWireMemo(row: MemoRow): Memo {
  return { _id: row.id, ...toSharedKeys(row), ...(row.language !== '' && { language: row.language }) }
}

export function toDeskMemo(row: MemoRow, edition: EditionRow): DeskMemo {
  return {
    ...toSharedKeys(row),
    id: row.id,
    language: row.language,
    edition: keyOf(idOf(edition)),
    position: row.position,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns the live event of a new or changed memo. */
export function toMemoEvent<E extends 'NEW_MEMO' | 'MEMO_CHANGED'>(
  event: E,
  row: MemoWithEdition,
): { event: E; data: NewMemoEvent['data'] } {
  const { date, slot } = idOf(row.edition)
  const { position } = row
  return { event, data: { ...toWireMemo(row), date: formatWireDate(date), time_stamp: slot, position } }
}
