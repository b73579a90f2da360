/**
 * A text that many messages share: its parts, and between each two of them a value of this message. Messages with the same
 * array of parts share what is made of it.
 */
export type FilledText = { parts: readonly string[]; values: readonly string[] }

/** Returns the text as one string. */
export function joinFilled({ parts, values }: FilledText): string {
  return parts.map((part, index) => part + (values[index] ?? '')).join('')
}

/** A file in an email. Messages with the same bytes share what is made of them. */
export type Attachment = { name: string; type: string; bytes: Uint8Array }

/** An email to one of many members. */
export type BulkMessage = {
  to: string
  /** The return address for bounces; null for the sender's own. */
  envelopeFrom: string | null
  /** Letters, digits, dots and dashes. Fixed for each delivery, also when it is sent again. */
  messageId: string
  subject: string
  html: FilledText
  text: FilledText
  headers: Readonly<Record<string, string>>
  attachment?: Attachment
}

/**
 * The outcome of a message. `temporary` and `permanent` are refusals of this message by the server. `unavailable`: no
 * message can be sent now, and this one was certainly not accepted. `unknown`: the connection ended after the message was
 * handed over and before the reply, so that the server may have accepted it.
 */
export type BulkResult =
  | { outcome: 'accepted' }
  | {
      outcome: 'temporary' | 'permanent' | 'unavailable' | 'unknown'
      code: string
      response: string
      /** The response before it was cut, up to 2,000 characters. */
      fullResponse?: string
      /** The command that the server refused, if it was one about this message. */
      phase?: 'rcpt' | 'data'
    }

/** Sends editions. `send` never rejects; `concurrency` is how many messages may be in flight at once. */
export type BulkMailer = {
  concurrency: number
  send(message: BulkMessage): Promise<BulkResult>
  /** Ends every message that is still in flight after this time, and refuses others from then on. */
  finish(withinMs: number): void
  close(): void
}
