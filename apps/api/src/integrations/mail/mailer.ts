export type EmailMessage = {
  to: string
  subject: string
  html: string
  text: string
  /** Letters, digits, dots and dashes. An email that is sent again keeps its id, so that inboxes can drop the second. */
  messageId: string
  headers?: Readonly<Record<string, string>>
}

/** Hands emails to a server that delivers them. */
export type Mailer = {
  /** Sends an email. Throws {@link MailRefusedError} if retrying is useless, else {@link MailUnavailableError}. */
  send(message: EmailMessage): Promise<void>
  /** Ends every email that is still in flight after this time, and refuses others from then on. */
  finish(withinMs: number): void
  close(): void
}

/** The server refuses the email for good, or the address is malformed. */
export class MailRefusedError extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`The email was refused: ${reason}`)
    this.name = 'MailRefusedError'
    this.reason = reason
  }
}

/** The server did not accept the email; a retry may succeed. */
export class MailUnavailableError extends Error {
  /** As Node, OpenSSL or the SMTP library names it, such as `ECONNREFUSED`. */
  readonly code: string
  readonly reason: string

  constructor(code: string, reason: string) {
    super(`The email could not be sent: ${reason}`)
    this.name = 'MailUnavailableError'
    this.code = code
    this.reason = reason
  }
}
