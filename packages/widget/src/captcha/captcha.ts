import type { TranslationKey } from '../translations/catalog.ts'

/** A captcha in a dialog. */
export type Captcha = {
  /** Shows the captcha in an element of the page. Resolves when it can be used. */
  render: (place: HTMLElement) => Promise<void>
  /** Returns the token of a solved captcha, '' before. */
  getResponse: () => string
  /** Runs a challenge and resolves to its token. */
  execute: () => Promise<string>
  /** Makes the captcha solvable again: a token can be used once. */
  reset: () => void
  /** Ends a running challenge. The element with the captcha is removed from the page afterwards. */
  remove: () => void
}

/** How a captcha is created. */
export type CaptchaOptions = {
  siteKey: string
  /** The API's origin. */
  apiBase: string
  language: string
  theme: 'light' | 'dark'
}

type CaptchaTextKey = Extract<TranslationKey, `captcha_${string}`>

/** A captcha that wasn't solved. */
export class CaptchaError extends Error {
  override readonly name = 'CaptchaError'
  /** The text that explains it. */
  readonly textKey: CaptchaTextKey

  constructor(textKey: CaptchaTextKey, options?: ErrorOptions) {
    super(textKey, options)
    this.textKey = textKey
  }
}
