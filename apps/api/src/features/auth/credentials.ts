import { limits } from '@tidings/contracts/limits'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import { parseEmailAddress } from '#platform/email-address.ts'
import { InvalidEmailError, InvalidPasswordError, PasswordTooShortError } from './auth.errors.ts'

/** The one spelling of an address somebody typed; throws `required-field-missing` or `invalid-email`. */
export function readEmail(text: string): string {
  if (text.trim() === '') throw failMembership('required-field-missing', 'email')
  const email = parseEmailAddress(text)
  if (email === null) throw new InvalidEmailError()
  return email
}

/** A password that somebody chose. Its length is all that is asked of it (NIST SP 800-63B, 5.1.1.2). */
export function readNewPassword(password: string | null | undefined, field = 'password'): string {
  if (password == null || password === '') throw failMembership('required-field-missing', field)
  const { min, max } = limits.passwordCharacters
  const characters = [...password.normalize('NFC')].length
  if (characters < min) throw new PasswordTooShortError()
  if (characters > max) throw new InvalidPasswordError()
  return password
}

/** Whether a password is one that {@link readNewPassword} could ever have let through. */
export function isPossiblePassword(password: string): boolean {
  return [...password.normalize('NFC')].length <= limits.passwordCharacters.max
}
