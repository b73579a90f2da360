import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import type { Translate } from '../../translations/translate.ts'

const passwordLength = 8
const imageBytes = 4_000_000

/** Returns whether a text is an email address: text on both sides of an @, and two characters after a dot. */
export function isEmail(text: string): boolean {
  return /^[^@\s]+@[^@\s]*[^@\s.]\.[^@\s.]{2,}$/.test(text)
}

/** Returns the error of an email address that a call needs. While it is empty, the field shows none. */
export function emailError(t: Translate) {
  return (text: string) => (isEmail(normalizeEmail(text)) ? undefined : t('email_error_message'))
}

export function passwordError(t: Translate) {
  return (text: string) => (text.length >= passwordLength ? undefined : t('password_error_message'))
}

/** Returns the error of a profile image. The message says 2MB, the limit is 4 MB: both are kept. */
export function imageError(t: Translate, { type, size }: Blob): string | undefined {
  if (!type.includes('image')) return t('not_an_image')
  return size > imageBytes ? t('image_too_large') : undefined
}
