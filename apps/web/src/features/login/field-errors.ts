import { messages } from '@tidings/contracts/membership/messages'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import type { FieldErrors } from '#components/forms/submission.ts'
import { errorCode } from '#lib/api/error-text.ts'
import { invalidPhoneText } from '#lib/phone/phone-numbers.ts'

const fieldNames: Record<string, string> = {
  name: 'name',
  email: 'email',
  phone: 'phone number',
  password: 'password',
}

/** Returns the error of each empty field, in their order; null when all have a value. */
export function missingFields(values: Record<string, string>): FieldErrors | null {
  const missing = Object.entries(values)
    .filter(([name, value]) => (name === 'password' ? value === '' : !hasVisibleText(value)))
    .map(([name]) => [name, `Enter your ${fieldNames[name] ?? name}.`])
  return missing.length === 0 ? null : Object.fromEntries(missing)
}

/** Returns which field the server's error about an address or a password is about. */
export function errorsOfCredentials(error: unknown): FieldErrors {
  switch (errorCode(error)) {
    case 'invalid-email':
      return { email: messages.invalidEmail }
    case 'email-unreachable':
      return { email: 'Use another address.' }
    case 'email-already-in-use':
      return { email: 'Use another email, or log in with this one.' }
    case 'invalid-phone':
      return { phone: invalidPhoneText }
    case 'invalid-password-too-short':
      return { password: messages.passwordTooShort }
    case 'invalid-password':
      return { password: 'Choose a shorter password.' }
    default:
      return {}
  }
}
