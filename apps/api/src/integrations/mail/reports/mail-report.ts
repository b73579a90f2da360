/** A report by another mail server or a mailbox provider about a message of ours. No text in it has an address. */
export type MailReport = {
  /** `bounced`: it is not delivered and won't be. `complained`: its recipient called it spam. */
  kind: 'bounced' | 'complained'
  /** The enhanced status code of a bounce (RFC 3463), or the feedback type of a complaint (RFC 5965). */
  status: string
  /** The reply of the server that refused the message; empty if the report doesn't have it. */
  diagnosis: string
  /** Status and diagnosis as one line. */
  reason: string
  /** The return addresses and the feedback ID that a complaint quotes to say which message it is about. */
  quoted: readonly string[]
}
