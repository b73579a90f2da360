import type { Captcha, CaptchaOptions } from './captcha.ts'
import { createScriptCaptcha } from './script-captcha.ts'

/** hCaptcha without a box: a challenge opens on submit, in the page's body. */
export function createCaptcha({ siteKey, language, theme }: CaptchaOptions): Captcha {
  const query = new URLSearchParams({ render: 'explicit', hl: language, recaptchacompat: 'off' })
  return createScriptCaptcha({
    src: `https://js.hcaptcha.com/1/api.js?${query}`,
    global: 'hcaptcha',
    parameters: { sitekey: siteKey, size: 'invisible', theme },
    onExecute: 'run',
  })
}
