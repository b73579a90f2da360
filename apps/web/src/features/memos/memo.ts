import type { Memo as WireMemo } from '@tidings/contracts/memos'
import { cleanedByServer, type SafeHtml } from '../../lib/safe-html.ts'
import { isRecord, textOf } from '../../lib/wire-reading.ts'

/** One item of an edition, in the site's own words. */
export type Memo = {
  id: string
  title: string
  /** File name of the picture; empty without one. */
  picture: string
  pictureNote: SafeHtml | null
  caption: string
  body: SafeHtml
  /** Address of the source, http or https; empty without one. */
  source: string
  /** Number of likes. */
  likes: number
}

/** Reads a memo as the wire has it; null when it has no id or no title. */
export function parseMemo(item: unknown): Memo | null {
  if (!isRecord(item)) return null
  const text = (field: keyof WireMemo) => textOf(item, field)
  if (text('_id') === '' || text('title') === '') return null
  return {
    id: text('_id'),
    title: text('title'),
    picture: text('media'),
    pictureNote: text('media_text').trim() === '' ? null : cleanedByServer(text('media_text')),
    caption: text('media_title'),
    body: cleanedByServer(text('memo_content')),
    source: /^https?:\/\//i.test(text('source')) ? text('source') : '',
    likes: typeof item.counter === 'number' ? item.counter : 0,
  }
}
