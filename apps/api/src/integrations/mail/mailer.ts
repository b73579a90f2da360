/** The person that a mail is for, and the name of the site or app that it speaks for. */
type Envelope = { to: string; appName: string }

/** A one-time code, and for how many minutes it holds. */
type Code = { code: string; minutes: number }

/** Every mail that we send to a member, by what it is for. */
export type Mail = Envelope &
  (
    | ({ kind: 'reset-code' } & Code)
    /** `fromSignup`: somebody tried to sign up with an address that has an account already. */
    | ({ kind: 'login-code'; fromSignup: boolean } & Code)
    | ({ kind: 'signup-code' } & Code)
    /** `link` leads to a page with a button; opening it changes nothing. */
    | ({ kind: 'verification'; link: string } & Code)
    /** Goes to the old address, which can reset nothing any more: `contact` is the address of people who can help. */
    | { kind: 'email-changed'; newEmail: string; contact: string }
    | { kind: 'password-changed'; resetUrl: string }
    | { kind: 'provider-connected'; providerName: string; accountUrl: string }
  )

/** Hands mails to a server that delivers them. */
export type Mailer = {
  /**
   * Returns once the server has taken the mail. The same `messageId` (letters, digits, dots and dashes) marks a mail
   * that is sent again as the same one. Throws {@link MailRefusedError} when trying again is of no use, else
   * {@link MailUnavailableError}; neither quotes the address or the code.
   */
  send(mail: Mail, options: { messageId: string }): Promise<void>
  /** Closes the connections that are kept open. */
  close(): void
}

/** The server will never take this mail: the address is malformed or refused for good. */
export class MailRefusedError extends Error {
  constructor(reason: string) {
    super(`The mail was refused: ${reason}`)
    this.name = 'MailRefusedError'
  }
}

/** The mail could not be handed over at the moment; it may be tried again. */
export class MailUnavailableError extends Error {
  constructor(reason: string) {
    super(`The mail could not be sent: ${reason}`)
    this.name = 'MailUnavailableError'
  }
}
