import type { DeliveryMethod } from '@tidings/contracts/delivery-methods'

/** One of the three times a day an edition arrives. */
export type SeedSlot = '10AM' | '3PM' | '8PM'

/** The picture of a memo or an article; the drawing is one of this folder's own SVG files. */
export type SeedPicture = {
  /** File name inside `drawings/`, for example `comet.svg`. */
  drawing: string
  /** Caption as plain text (`media_title`). */
  title: string
  /** Credit or remark as HTML (`media_text`). */
  text?: string
}

/** One memo of an edition: a dated, public event retold in our own words. */
export type SeedMemo = {
  /** Plain text, 4 to 18 words, unique within its edition. */
  title: string
  /** HTML of p, a, strong, em, ul, ol, li, blockquote, h2, h3 and br only. */
  content: string
  /** An https page where a reader can go on reading. */
  source: string
  picture?: SeedPicture
}

/** The memos of one slot, in reading order; five to nine of them. */
export type SeedEdition = { slot: SeedSlot; memos: readonly SeedMemo[] }

/** A calendar day, `YYYY-MM-DD`, with its editions from morning to evening. */
export type SeedDay = { date: string; editions: readonly SeedEdition[] }

/** A gated essay of at least 600 words; the HTML obeys the same rule as a memo's. */
export type SeedArticle = { title: string; content: string; picture?: SeedPicture }

/** A content group. Each of its plans grants access. */
export type SeedContentGroup = {
  key: string
  name: string
  plans: readonly string[]
  /** Where members without access are redirected. */
  redirect: string
}

/** Secure content with the same HTML as a memo. Without plans every member may read it. */
export type SeedSecureContent = { contentId: string; content: string; plans: readonly string[] }

/** A verified member with a password and free plans. */
export type SeedMember = {
  email: string
  password: string
  name: string
  planIds: readonly string[]
  /** The delivery method that is on. */
  method?: DeliveryMethod
  /** The pages of PDFs; a phone's by default. */
  pdfFormat?: 'a4'
  /** A verified phone number, in E.164. */
  phone?: string
}
