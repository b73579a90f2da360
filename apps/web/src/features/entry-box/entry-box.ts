import { entryBoxReply } from '@tidings/contracts/gate'
import { messages } from '@tidings/contracts/membership/messages'
import { hasVisibleText } from '@tidings/contracts/membership/typed-text'
import { paths } from '@tidings/contracts/paths'
import type { StatusMessage } from '#components/status-line.tsx'
import { ApiError, NetworkError, postJson } from '#lib/api/api-client.ts'
import { offlineText } from '#lib/connection.ts'

/** The entry box and the message below it. */
export type EntryBox = { contact: string; isSubmitting: boolean; message: StatusMessage | null }

export type EntryBoxEvent =
  | { type: 'typed'; contact: string }
  | { type: 'submitted' }
  | { type: 'failed'; error: unknown }
  | { type: 'messageExpired' }

export const emptyEntryBox: EntryBox = { contact: '', isSubmitting: false, message: null }

export function entryBoxReducer(box: EntryBox, event: EntryBoxEvent): EntryBox {
  switch (event.type) {
    case 'typed':
      return { ...box, contact: event.contact }
    case 'submitted':
      if (!hasVisibleText(box.contact)) return { ...box, message: { text: messages.entryBox, isError: true } }
      return { ...box, isSubmitting: true, message: { text: messages.pleaseWait, isError: false } }
    case 'failed':
      return { ...box, isSubmitting: false, message: { text: errorText(event.error), isError: true } }
    case 'messageExpired':
      return box.isSubmitting ? box : { ...box, message: null }
  }
}

/**
 * Submits a phone number or an email address, as it was typed.
 * @throws {ApiError} `invalid-contact`, `too-many-requests`
 */
export async function submitContact(contact: string): Promise<void> {
  await postJson(paths.protect, { tool: contact }, entryBoxReply)
}

function errorText(error: unknown): string {
  if (error instanceof NetworkError) return offlineText
  return error instanceof ApiError && error.message !== '' ? error.message : messages.unexpected
}
