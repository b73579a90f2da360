import { messages } from '@tidings/contracts/membership/messages'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import type { FieldErrors } from '#components/forms/field-checks.ts'
import { errorCode } from '#lib/api/error-text.ts'
import { invalidPhoneText } from '#lib/phone/phone-numbers.ts'
import type { AccountDetails } from './account-details.ts'

/** Returns the error of each empty detail, in their order. */
export function missingDetails(details: Partial<AccountDetails>): FieldErrors {
  const texts = { name: 'Enter your name.', email: 'Enter your email.', phone: 'Enter your phone number.' }
  return Object.fromEntries(
    (['name', 'email', 'phone'] as const)
      .filter((name) => !hasVisibleText(details[name] ?? name))
      .map((name) => [name, texts[name]]),
  )
}

/** Returns the errors of the fields of the details. */
export function detailErrors(error: unknown): FieldErrors {
  switch (errorCode(error)) {
    case 'invalid-email':
      return { email: messages.invalidEmail }
    case 'email-unreachable':
      return { email: 'Use another address.' }
    case 'email-already-in-use':
      return { email: 'Use another email.' }
    case 'invalid-phone':
      return { phone: invalidPhoneText }
    default:
      return {}
  }
}

/** Returns the error of the field of a texted code. */
export function codeErrors(error: unknown): FieldErrors {
  return errorCode(error) === 'invalid-verification-code'
    ? { code: 'Check the code, or request a new one.' }
    : {}
}

/** Returns the errors of the password fields. */
export function passwordErrors(error: unknown): FieldErrors {
  switch (errorCode(error)) {
    case 'invalid-credentials':
      return { oldPassword: 'Check your old password.' }
    case 'invalid-password-too-short':
      return { newPassword: messages.passwordTooShort }
    case 'invalid-password':
      return { newPassword: 'Choose a shorter password.' }
    default:
      return {}
  }
}
