import { centerFocus } from '@tidings/contracts/desk/fields'
import type { DeskMemo, MemoChange } from '@tidings/contracts/desk/memos'
import type { Memo as WireMemo } from '@tidings/contracts/editions'
import { type FieldTable, singleLine } from '#platform/fields.ts'

/** The columns about the picture of a memo or article, beside the caption. */
type PictureColumns = {
  mediaFile: string | null
  mediaAlt: string | null
  mediaFocusX: number
  mediaFocusY: number
}

/** The columns that the keys of a draft or change set. */
export const pictureFields = {
  media_alt: (alt) => ({ mediaAlt: alt === null ? null : singleLine('media_alt', alt) }),
  media_focus: ({ x, y }) => ({ mediaFocusX: x, mediaFocusY: y }),
} satisfies FieldTable<Pick<MemoChange, 'media_alt' | 'media_focus'>>

/** Returns the keys that editors get. */
export function toDeskPicture(row: PictureColumns): Pick<DeskMemo, 'media_alt' | 'media_focus'> {
  return { media_alt: row.mediaAlt, media_focus: { x: row.mediaFocusX, y: row.mediaFocusY } }
}

/** Returns the keys that readers get: only what an editor chose for a picture. */
export function toWirePicture(row: PictureColumns): Pick<WireMemo, 'media_alt' | 'media_focus'> {
  if (row.mediaFile === null) return {}
  const { media_alt, media_focus } = toDeskPicture(row)
  const isCentered = media_focus.x === centerFocus.x && media_focus.y === centerFocus.y
  return { ...(media_alt !== null && { media_alt }), ...(!isCentered && { media_focus }) }
}
