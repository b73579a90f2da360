import type { MemoText } from '@tidings/contracts/desk/memo-text'
import type { UnsavedEdition } from '@tidings/contracts/desk/unsaved'
import type { CalendarDate } from '@tidings/contracts/edition-key'

/** A memo as it stands at the desk, with words that aren't saved yet. */
export type PreviewedMemo = MemoText & {
  id: string
  ready: boolean
  counter: number
  /**
   * The signed address of its picture, which also loads what readers can’t fetch yet. Null without a picture, or if it
   * can't be read; undefined until it is known.
   */
  pictureUrl: string | null | undefined
  /** The note of a correction that readers don't have yet; empty without one. */
  note: string
  /** The note that readers have, and since when; null without one. */
  publicNote: { text: string; at: string } | null
}

/** An edition as it stands at the desk. */
export type PreviewedEdition = {
  key: string
  day: CalendarDate
  slot: string
  memos: readonly PreviewedMemo[]
  /** The subject of its email that isn't saved yet; undefined for the stored one. */
  subject: string | undefined
  /** The memo that is being written; null for none. */
  openId: string | null
}

/** The ways to look at an edition, in their order. */
export const previewForms = ['phone', 'email', 'text', 'pdf'] as const
export type PreviewForm = (typeof previewForms)[number]

/** Returns the form after this one; after the last, the first. */
export function nextForm(form: PreviewForm): PreviewForm {
  return previewForms[(previewForms.indexOf(form) + 1) % previewForms.length] ?? 'phone'
}

/** Returns what the API renders in place of the stored memos. */
export function unsavedOf({ key, memos, subject }: PreviewedEdition): UnsavedEdition {
  return {
    edition: key,
    memos: memos.map(({ counter, publicNote, pictureUrl, ...memo }) => memo),
    subject,
  }
}
