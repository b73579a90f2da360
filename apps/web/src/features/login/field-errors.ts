import { messages } from '@tidings/contracts/membership/messages'
import type { FieldErrors } from '#components/forms/field-checks.ts'
import { errorCode } from '#lib/api/error-text.ts'
import { invalidPhoneText } from '#lib/phone/phone-numbers.ts'

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
