/** A text to one phone number in E.164. With a delivery, the service reports the text's status. */
export type SmsMessage = { to: string; body: string; deliveryId?: string }

/** A text that the service has, with its last status and the error of one that failed. */
export type SentText = { body: string; status: string; errorCode: string }

/**
 * The outcome of a text. `temporary` and `permanent` are refusals of this text by the service. `unavailable`: no text can
 * be sent now, and this one was certainly not accepted. `unknown`: the service may have accepted it. The id is the
 * service's own.
 */
export type SmsResult =
  | { outcome: 'accepted'; id: string }
  | { outcome: 'temporary' | 'permanent' | 'unavailable' | 'unknown'; code: string; response: string }

/** Sends texts. `send` never rejects; `concurrency` is how many texts may be in flight at once. */
export type SmsSender = {
  concurrency: number
  send(message: SmsMessage): Promise<SmsResult>
  /** Lists the texts to a number since then. Rejects when the service is unavailable. */
  listTo(number: string, since: Date): Promise<SentText[]>
}
