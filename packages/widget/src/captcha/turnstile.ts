import type { CaptchaOptions } from './captcha.ts'
import type { ScriptCaptcha } from './script-captcha.ts'

/** Describes Turnstile, which runs by itself and shows a box in the dialog only when it needs the reader. */
export function describeCaptcha({ siteKey, language, theme }: CaptchaOptions): ScriptCaptcha {
  return {
    src: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    global: 'turnstile',
    parameters: { sitekey: siteKey, theme, language, size: 'flexible', appearance: 'interaction-only' },
    onExecute: 'wait',
  }
}
