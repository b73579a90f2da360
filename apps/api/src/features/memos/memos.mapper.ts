import { centerFocus } from '@tidings/contracts/desk/fields'
import type { MemoText } from '@tidings/contracts/desk/memo-text'
import type { DeskMemo, MemoChange } from '@tidings/contracts/desk/memos'
import type { MemoSave } from '@tidings/contracts/desk/writing/writing'
import { formatWireDate } from '@tidings/contracts/edition-key'
import type { Memo } from '@tidings/contracts/editions'
import { limits } from '@tidings/contracts/limits'
import type { NewMemoEvent } from '@tidings/contracts/live-feed'
import {
  addressLine,
  cleanField,
  cleanUnfinished,
  type FieldTable,
  type HtmlField,
  mapDefined,
  singleLine,
  visibleLine,
} from '#platform/fields.ts'
import { plainText } from '#platform/html/plain-text.ts'
import { type EditionRow, idOf, keyOf } from '../editions/index.ts'
import { pictureFields, toDeskPicture, toWirePicture } from '../media/index.ts'
import { excerptOf } from './excerpt.ts'
import type { MemoRow, MemoWithEdition } from './memos.repository.ts'

/** The columns of the fields of a {@link MemoText}. */
type MemoTextRow = Pick<
  MemoRow,
  | 'title'
  | 'content'
  | 'source'
  | 'mediaFile'
  | 'mediaTitle'
  | 'mediaAlt'
  | 'mediaFocusX'
  | 'mediaFocusY'
  | 'mediaText'
  | 'language'
>

/**
 * Returns the columns that each key of a draft or change sets, for texts in a language. `position` moves other memos too,
 * so the service handles it.
 */
export function memoFields(textLanguage: string) {
  return {
    title: (title) => ({ title: visibleLine('title', title) }),
    memo_content: (html) => ({ content: cleanUnfinished(html, contentField(textLanguage)) }),
    source: (source) => ({ source: addressLine('source', source) }),
    media: (file) => ({ mediaFile: file === '' ? null : file }),
    media_title: (title) => ({ mediaTitle: singleLine('media_title', title) }),
    ...pictureFields,
    media_text: (html) => ({ mediaText: cleanField(html, mediaTextField(textLanguage)) }),
    language: (language) => ({ language }),
    ready: (isReady) => ({ isReady }),
  } satisfies FieldTable<Omit<MemoChange, 'position'>>
}

/** Returns the field of a memo's text. */
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
  return {
    _id: row.id,
    ...toSharedKeys(row),
    ...toWirePicture(row),
    ...(row.notedAt !== null && { correction: { note: row.note, at: row.notedAt.toISOString() } }),
    ...(row.language !== '' && { language: row.language }),
  }
}

export function toDeskMemo(row: MemoRow, edition: EditionRow): DeskMemo {
  return {
    ...toSharedKeys(row),
    ...toDeskPicture(row),
    id: row.id,
    language: row.language,
    ready: row.isReady,
    note: row.note,
    notedAt: row.notedAt?.toISOString() ?? null,
    savedBy: row.savedBy,
    edition: keyOf(idOf(edition)),
    position: row.position,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Returns the fields of a memo that editors write. */
export function toMemoText(row: MemoTextRow): MemoText {
  return {
    title: row.title,
    memo_content: row.content,
    source: row.source,
    media: row.mediaFile ?? '',
    media_title: row.mediaTitle,
    ...toDeskPicture(row),
    media_text: row.mediaText,
    language: row.language,
  }
}

/** Returns fields of a memo as they are stored: their HTML is clean. Throws as {@link memoFields}. */
export function cleanMemoText(given: MemoSave, textLanguage: string): Partial<MemoText> {
  const clean = toMemoText({ ...noText, ...mapDefined(given, memoFields(textLanguage)) })
  return Object.fromEntries(Object.entries(clean).filter(([name]) => name in given))
}

const noText: MemoTextRow = {
  title: '',
  content: '',
  source: '',
  mediaFile: null,
  mediaTitle: '',
  mediaAlt: null,
  mediaFocusX: centerFocus.x,
  mediaFocusY: centerFocus.y,
  mediaText: '',
  language: '',
}

/** Returns the fields that readers would miss. */
export function missingFields({ title, memo_content }: Pick<MemoText, 'title' | 'memo_content'>): string[] {
  return [...(title === '' ? ['title'] : []), ...(memo_content === '' ? ['memo_content'] : [])]
}

/** Returns the part of a memo's HTML around the typed words, as plain text. */
export function toExcerpt(html: string, typed?: string): string {
  return excerptOf(plainText(html), typed)
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
