import type { Memo as WireMemo } from '@tidings/contracts/editions'
import { type SafeHtml, sanitizedByServer } from '#lib/prose/safe-html.ts'

/** One item of an edition, in our own terms. */
export type Memo = {
  id: string
  title: string
  /** File name of the picture; empty without one. */
  picture: string
  pictureNote: SafeHtml | null
  caption: string
  body: SafeHtml
  /** URL of the source, http or https; empty without one. */
  source: string
  likes: number
  /** BCP 47; undefined for the site's language. */
  language: string | undefined
}

export function toMemo(wire: WireMemo): Memo {
  return {
    id: wire._id,
    title: wire.title,
    picture: wire.media,
    pictureNote: wire.media_text.trim() === '' ? null : sanitizedByServer(wire.media_text),
    caption: wire.media_title,
    body: sanitizedByServer(wire.memo_content),
    source: /^https?:\/\//i.test(wire.source) ? wire.source : '',
    likes: wire.counter,
    language: wire.language,
  }
}

/** Returns the host of a memo's source without `www.`; null for an invalid URL. */
export function sourceHost({ source }: Memo): string | null {
  return URL.canParse(source) ? new URL(source).hostname.replace(/^www\./, '') : null
}
