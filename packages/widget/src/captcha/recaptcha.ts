import type { Captcha, CaptchaOptions } from './captcha.ts'
import { createScriptCaptcha } from './script-captcha.ts'

/** reCAPTCHA v2 with its box in the dialog. A challenge opens in the page's body. */
export function createCaptcha({ siteKey, language, theme }: CaptchaOptions): Captcha {
  const query = new URLSearchParams({ render: 'explicit', hl: language })
  return createScriptCaptcha({
    src: `https://www.google.com/recaptcha/api.js?${query}`,
    global: 'grecaptcha',
    parameters: { sitekey: siteKey, theme },
    onExecute: 'refuse',
  })
}
