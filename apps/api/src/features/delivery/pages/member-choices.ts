import type { ChosenMethods, DeliveryMethod } from '@tidings/contracts/delivery/methods'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'

/** The methods of a member, and the pages of PDFs. */
export type MemberChoices = {
  methods: ChosenMethods
  /** The methods whose fields are on, also those that another one replaces. */
  stored: ReadonlySet<DeliveryMethod>
  /** The first day on which deliveries are sent again; null if they are not paused. */
  pausedUntil: CalendarDate | null
  /** The pages of PDFs. */
  pdfFormat: PdfFormat
}
