/** Verifies on the server that a form's captcha was solved. */
export type CaptchaVerifier = {
  /** Tells the page which captcha to show: `altcha`, `hcaptcha`, `turnstile` or `recaptcha`. */
  kind: string
  /** The public key that the page shows the captcha with; null when the kind has none. */
  siteKey: string | null
  /** Returns a challenge, for the kind whose challenges this site makes. */
  challenge?(): Promise<object>
  /** Returns whether a token solves a challenge, once. Throws {@link CaptchaUnavailableError}. */
  verify(token: string, remoteIp: string): Promise<boolean>
}

/** Claims a solution until `expiresAt`: the first caller with a hash gets true, in all processes. */
export type ClaimSolution = (solutionHash: string, expiresAt: Date) => Promise<boolean>

/** The captcha service is unavailable. `reason` contains nothing that was sent to it. */
export class CaptchaUnavailableError extends Error {
  constructor(reason: string) {
    super(`The captcha could not be checked: ${reason}`)
    this.name = 'CaptchaUnavailableError'
  }
}
