/** What another mail server or a mailbox provider reports about a message of ours. No text in it has an address. */
export type MailReport = {
  /** `bounced`: it is not delivered and won't be. `complained`: its recipient called it spam. */
  kind: 'bounced' | 'complained'
  /** The enhanced status code of a bounce (RFC 3463), or the feedback type of a complaint (RFC 5965). */
  status: string
  /** What the server that refused the message replied; empty if the report doesn't say. */
  diagnosis: string
  /** Status and diagnosis as one line. */
  reason: string
  /** The return addresses and the feedback ID that a complaint quotes to say which message it is about. */
  quoted: readonly string[]
}
