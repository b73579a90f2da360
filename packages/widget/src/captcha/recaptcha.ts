import type { CaptchaOptions } from './captcha.ts'
import type { ScriptCaptcha } from './script-captcha.ts'

/** Describes reCAPTCHA v2 with its box in the dialog. A challenge opens in the page's body. */
export function describeCaptcha({ siteKey, language, theme }: CaptchaOptions): ScriptCaptcha {
  const query = new URLSearchParams({ render: 'explicit', hl: language })
  return {
    src: `https://www.google.com/recaptcha/api.js?${query}`,
    global: 'grecaptcha',
    // The normal box is 304 px wide, more than the dialog has on small phones.
    parameters: {
      sitekey: siteKey,
      theme,
      size: matchMedia('(max-width: 376px)').matches ? 'compact' : 'normal',
    },
    onExecute: 'refuse',
  }
}
