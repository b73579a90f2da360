/** A server that takes our emails. */
export type MailServer = {
  /** Its host and port. */
  name: string
  /**
   * Returns whether it takes addresses with non-ASCII letters before the @ (SMTPUTF8, RFC 6531). Throws
   * `MailUnavailableError` if it can't be asked.
   */
  offersSmtpUtf8(): Promise<boolean>
  /** Logs in, if the address has a name. Returns whether TLS protects it. Throws `MailUnavailableError`. */
  logIn(): Promise<{ isEncrypted: boolean }>
}
