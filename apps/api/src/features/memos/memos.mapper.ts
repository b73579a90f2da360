import type { DeskMemo, FoundMemo, MemoChange } from '@tidings/contracts/desk/editions'
import { formatWireDate } from '@tidings/contracts/edition-key'
import type { Memo } from '@tidings/contracts/editions'
import { limits } from '@tidings/contracts/limits'
import type { NewMemoEvent } from '@tidings/contracts/live-feed'
import {
  addressLine,
  cleanBody,
  cleanField,
  type FieldTable,
  type HtmlField,
  singleLine,
} from '#platform/fields.ts'
import { plainText } from '#platform/html/plain-text.ts'
import { type EditionRow, idOf, keyOf } from '../editions/index.ts'
import { excerptOf } from './excerpt.ts'
import type { MemoRow, MemoWithEdition } from './memos.repository.ts'

/**
 * Returns the columns that each key of a draft or change sets, for texts in a language. `position` moves other memos too,
 * so the service handles it.
 */
export function memoFields(textLanguage: string) {
  return {
    title: (title) => ({ title: singleLine('title', title) }),
    memo_content: (html) => ({ content: cleanBody(html, contentField(textLanguage)) }),
    source: (source) => ({ source: addressLine('source', source) }),
    media: (file) => ({ mediaFile: file === '' ? null : file }),
    media_title: (title) => ({ mediaTitle: singleLine('media_title', title) }),
    media_text: (html) => ({ mediaText: cleanField(html, mediaTextField(textLanguage)) }),
    language: (language) => ({ language }),
  } satisfies FieldTable<Omit<MemoChange, 'position'>>
}

function contentField(language: string): HtmlField {
  return { field: 'memo_content', language, maxCharacters: limits.memoContentCharacters }
}

function mediaTextField(language: string): HtmlField {
  return { field: 'media_text', language, maxCharacters: limits.mediaTextCharacters }
}

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

/** Maps a memo for a list: with an excerpt around the typed words instead of its HTML. */
export function toFoundMemo(row: MemoWithEdition, typed?: string): FoundMemo {
  const { memo_content: html, media_text: _, ...fields } = toDeskMemo(row, row.edition)
  return { ...fields, editionStatus: row.edition.status, excerpt: excerptOf(plainText(html), typed) }
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
