import type { CaptchaOptions } from './captcha.ts'
import type { ScriptCaptcha } from './script-captcha.ts'

/** Describes reCAPTCHA v2 with its box in the dialog. A challenge opens in the page's body. */
export function describeCaptcha({ siteKey, language, theme }: CaptchaOptions): ScriptCaptcha {
  const query = new URLSearchParams({ render: 'explicit', hl: language })
  return {
    src: `https://www.google.com/recaptcha/api.js?${query}`,
    global: 'grecaptcha',
    parameters: { sitekey: siteKey, theme },
    onExecute: 'refuse',
  }
}
