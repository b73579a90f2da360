import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { Attachment, FilledText } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { EditionRow } from '../editions/index.ts'
import type { MemoRow } from '../memos/index.ts'
import type { DeliveryMethod } from './methods.ts'

/** The content of an email: one edition, or all editions of a day in order for the digest. */
export type DeliveryContent = {
  kind: 'memo' | 'digest'
  date: CalendarDate
  editions: readonly { edition: EditionRow; memos: readonly MemoRow[] }[]
  /** Whether its pictures must load before readers can fetch them, as in previews and tests. */
  isPreview?: boolean
  /** Whether its text may be stored nowhere, so that its PDF isn't either. */
  isUnsaved?: boolean
  /** The editor's note about a correction of what its members got earlier. */
  correction?: string
}

/** The recipient of a delivery. Its links are signed for this member. */
export type DeliveryRecipient = {
  deliveryId: string
  /** Empty for a preview or a test, whose links change nothing. */
  memberId: string
  /** The number of the member's links to the preferences. */
  linkVersion: number
  method: DeliveryMethod
  address: string
}

export type DeliveryEmail = {
  subject: string
  html: FilledText
  text: FilledText
  headers: Readonly<Record<string, string>>
  attachment?: Attachment
  /** The return address for bounces; null for the sender's own. */
  envelopeFrom: string | null
}

/** The deliveries of a message, one by each method. `pdf` is null without a PDF, also if it could not be made. */
export type MessageParts = {
  methods: readonly [DeliveryRecipient['method'], ...DeliveryRecipient['method'][]]
  pdf: PdfFormat | null
}

/** Renders an email once for all members with the same parts. The returned function fills in the links of one. */
export type PrepareDeliveryEmail = (
  content: DeliveryContent,
  parts: MessageParts,
) => Promise<(recipient: DeliveryRecipient) => DeliveryEmail>
