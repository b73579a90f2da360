/** Checks on the server that whoever filled in a form solved its captcha. */
export type CaptchaVerifier = {
  /** Tells the page which captcha to show: `altcha`, `hcaptcha`, `turnstile` or `recaptcha`. */
  kind: string
  /** The public key that the page shows the captcha with; null when the kind has none. */
  siteKey: string | null
  /** What the page has to solve, for kinds whose challenges we make ourselves. */
  challenge?(): Promise<object>
  /**
   * Whether a token is the fresh solution of one of our challenges. The same solution is right once only. Throws
   * {@link CaptchaUnavailableError} when nobody can tell at the moment.
   */
  verify(token: string, remoteIp: string): Promise<boolean>
}

/**
 * Remembers that a solution was used, until `expiresAt`. The first caller with a hash gets true, everybody after it
 * false, in whichever process.
 */
export type ClaimSolution = (solutionHash: string, expiresAt: Date) => Promise<boolean>

/** The service that checks captchas does not answer; `reason` quotes nothing that was sent to it. */
export class CaptchaUnavailableError extends Error {
  constructor(reason: string) {
    super(`The captcha could not be checked: ${reason}`)
    this.name = 'CaptchaUnavailableError'
  }
}
