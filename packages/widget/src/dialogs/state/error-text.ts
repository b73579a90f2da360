import { CaptchaError } from '../../captcha/captcha.ts'
import type { Translate } from '../../translations/translate.ts'

/** Returns the text of an error for people. The client's own errors have one in each language. */
export function errorText(t: Translate, error: unknown): string {
  if (error instanceof CaptchaError) return t(error.textKey)
  const code = codeOf(error)
  return code === undefined ? (textOf(error) ?? t('unknown_error')) : t(code)
}

/** Returns the text of an error for people, undefined if it has none. */
export function textOf(error: unknown): string | undefined {
  return error instanceof Object &&
    'message' in error &&
    typeof error.message === 'string' &&
    error.message !== ''
    ? error.message
    : undefined
}

const clientErrors = {
  'network-error': 'network_error',
  'request-timeout': 'request_timeout',
  'unreadable-reply': 'unreadable_reply',
  'popup-blocked': 'popup_blocked',
  'popup-closed': 'popup_closed',
  'popup-timeout': 'popup_timeout',
} as const

function codeOf(error: unknown): (typeof clientErrors)[keyof typeof clientErrors] | undefined {
  if (!(error instanceof Object) || !('code' in error)) return undefined
  const entry = Object.entries(clientErrors).find(([code]) => code === error.code)
  return entry?.[1]
}
