import type { CaptchaOptions } from './captcha.ts'
import type { ScriptCaptcha } from './script-captcha.ts'

/** Describes hCaptcha without a box: a challenge opens on submit, in the page's body. */
export function describeCaptcha({ siteKey, language, theme }: CaptchaOptions): ScriptCaptcha {
  const query = new URLSearchParams({ render: 'explicit', hl: language, recaptchacompat: 'off' })
  return {
    src: `https://js.hcaptcha.com/1/api.js?${query}`,
    global: 'hcaptcha',
    parameters: { sitekey: siteKey, size: 'invisible', theme },
    onExecute: 'run',
  }
}
