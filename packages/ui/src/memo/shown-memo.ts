import type { Focus, PictureSource } from '../picture/picture.tsx'
import type { SafeHtml } from '../prose/safe-html.ts'

/** A memo as readers see it. */
export type ShownMemo = {
  id: string
  title: string
  picture: PictureSource | null
  pictureNote: SafeHtml | null
  caption: string
  /** Empty without one, or for a decorative picture. */
  alt: string
  /** The point that cropping keeps; undefined for the center. */
  focus: Focus | undefined
  body: SafeHtml
  /** The note of the last correction below its time, such as `Corrected at 3:12 PM`; null without a note. */
  correction: { label: string; time: string; dateTime: string; note: string } | null
  /** Null without a source that a link can have. */
  source: { url: string; host: string } | null
  /** BCP 47; undefined for the site's language. */
  language: string | undefined
  dir: 'ltr' | 'rtl' | 'auto'
}
