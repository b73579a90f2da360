import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { EditionRow } from '../editions/index.ts'
import type { MemoRow } from '../memos/index.ts'

/** What an email contains: one edition, or all editions of a day in order for the digest. */
export type DeliveryContent = {
  kind: 'memo' | 'digest'
  date: CalendarDate
  editions: readonly { edition: EditionRow; memos: readonly MemoRow[] }[]
}

/** Who gets it. The links of an email are signed for the delivery. */
export type DeliveryRecipient = {
  deliveryId: string
  method: 'memo_email' | 'digest'
  address: string
  /** The custom field `name` of the member; may be empty. */
  name: string
}

export type DeliveryEmail = {
  subject: string
  html: string
  text: string
  headers: Readonly<Record<string, string>>
  /** The return address for bounces; null for the sender's own. */
  envelopeFrom: string | null
}

/** Renders the email of an edition or digest once. The returned function fills in what belongs to one recipient. */
export type PrepareDeliveryEmail = (
  content: DeliveryContent,
) => Promise<(recipient: DeliveryRecipient) => DeliveryEmail>

export type BulkMessage = DeliveryEmail & {
  to: string
  /** Fixed for each delivery, also when it is sent again. */
  messageId: string
}

/**
 * What became of a message. `temporary` and `permanent` are refusals of this message by the server. `unavailable`: no
 * message can be sent now, and this one was certainly not accepted. `unknown`: the connection ended after the message was
 * handed over and before the reply, so that the server may have accepted it.
 */
export type BulkResult =
  | { outcome: 'accepted' }
  | { outcome: 'temporary' | 'permanent' | 'unavailable' | 'unknown'; code: string; response: string }

/** Sends editions. `send` never rejects; `concurrency` is how many messages may be in flight at once. */
export type BulkMailer = {
  concurrency: number
  send(message: BulkMessage): Promise<BulkResult>
  close(): void
}

const messageIdPrefix = 'delivery-'

/** Returns the Message-ID of a delivery, without the host. */
export function messageIdOf(deliveryId: string): string {
  return `${messageIdPrefix}${deliveryId}`
}
