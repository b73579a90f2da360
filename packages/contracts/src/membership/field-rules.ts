/** The rules of a member's fields. The server and the browser check with the same functions. Free of zod. */
import { limits } from '../limits.ts'
import { parseEmailAddress } from './email-address.ts'
import { normalizePhone } from './typed-text.ts'

const { min, max } = limits.passwordCharacters

/** Returns whether a text is an email address. */
export function isEmailAddress(text: string): boolean {
  return parseEmailAddress(text) !== null
}

/** Returns what is wrong with a new password, which only its length can be (NIST SP 800-63B, 5.1.1.2). */
export function newPasswordProblem(password: string): 'missing' | 'too-short' | 'too-long' | null {
  if (password === '') return 'missing'
  const { length } = [...password.normalize('NFC')]
  if (length < min) return 'too-short'
  return length <= max ? null : 'too-long'
}

/** Returns whether a text fits into a custom field, such as a name or a phone number. */
export function fitsCustomField(text: string): boolean {
  return text.length <= limits.customFieldCharacters
}

/** Returns which kind of contact a text is meant as. */
export function contactKind(text: string): 'email' | 'phone' {
  return text.normalize('NFKC').includes('@') ? 'email' : 'phone'
}

/** Returns a phone number alone, with + for a leading 00; null for a text with other words. */
export function phoneNumberText(text: string): string | null {
  const number = normalizePhone(text).replace(/^00(?=[1-9])/, '+')
  return /^[+(\d][\d\s().\-/+]*$/.test(number) ? number : null
}
