import { contactKind, isEmailAddress, phoneNumberText } from '@tidings/contracts/membership/field-rules'
import { messages } from '@tidings/contracts/membership/messages'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { enterContact } from '@tidings/contracts/routes'
import type { StatusMessage } from '#components/status-line.tsx'
import { ApiError, call, NetworkError } from '#lib/api/api-client.ts'
import { offlineText } from '#lib/browser/connection.ts'

/** The entry box, the error at it and the message below it. */
export type EntryBox = {
  contact: string
  isSubmitting: boolean
  error: string | null
  message: StatusMessage | null
}

export type EntryBoxEvent =
  | { type: 'typed'; contact: string }
  | { type: 'refused' }
  | { type: 'submitted' }
  | { type: 'failed'; error: unknown }
  | { type: 'messageExpired' }

export const emptyEntryBox: EntryBox = { contact: '', isSubmitting: false, error: null, message: null }

export function entryBoxReducer(box: EntryBox, event: EntryBoxEvent): EntryBox {
  switch (event.type) {
    case 'typed':
      return { ...box, contact: event.contact, error: box.error && contactProblem(event.contact) }
    case 'refused': {
      const error = contactProblem(box.contact)
      return { ...box, error, message: { text: messages.entryBox, isError: true } }
    }
    case 'submitted':
      return {
        ...box,
        error: null,
        isSubmitting: true,
        message: { text: messages.pleaseWait, isError: false },
      }
    case 'failed': {
      const isWrong = event.error instanceof ApiError && event.error.code === 'invalid-contact'
      const message = { text: errorText(event.error), isError: true }
      return { ...box, error: isWrong ? phoneText : null, isSubmitting: false, message }
    }
    case 'messageExpired':
      return box.isSubmitting ? box : { ...box, message: null }
  }
}

const phoneText = 'Check the number. For one of another country, start with + and the country code.'

/** Returns what is wrong with a contact, as far as its form shows it; the server knows the numbers of each country. */
export function contactProblem(contact: string): string | null {
  if (!hasVisibleText(contact)) return 'Enter your phone number or email.'
  if (contactKind(contact) === 'email') return isEmailAddress(contact) ? null : messages.invalidEmail
  return phoneNumberText(contact) === null ? 'Enter a phone number or an email address.' : null
}

/**
 * Submits a phone number or an email address, as it was typed.
 * @throws {ApiError} `invalid-contact`, `too-many-requests`
 */
export async function submitContact(contact: string): Promise<void> {
  await call(enterContact, { body: { tool: contact } })
}

function errorText(error: unknown): string {
  if (error instanceof NetworkError) return offlineText
  return error instanceof ApiError && error.message !== '' ? error.message : messages.unexpected
}
