import { messages } from '@tidings/contracts/messages'
import { paths } from '@tidings/contracts/paths'
import type { Line } from '../../components/status-line.tsx'
import { postJson, RefusedError } from '../../lib/api-client.ts'
import { isRecord } from '../../lib/wire-reading.ts'

/** The entry box: what is typed, whether it is being sent, and the line beneath. */
export type EntryBox = { contact: string; isSending: boolean; line: Line | null }

export type EntryBoxEvent =
  | { type: 'typed'; contact: string }
  | { type: 'submitted' }
  | { type: 'refused'; error: unknown }
  | { type: 'lineExpired' }

export const emptyEntryBox: EntryBox = { contact: '', isSending: false, line: null }

/** The next state of the entry box. */
export function entryBoxReducer(box: EntryBox, event: EntryBoxEvent): EntryBox {
  switch (event.type) {
    case 'typed':
      return { ...box, contact: event.contact }
    case 'submitted':
      if (box.contact.trim() === '') return { ...box, line: { text: messages.entryBox, isError: true } }
      return { ...box, isSending: true, line: { text: messages.pleaseWait, isError: false } }
    case 'refused':
      return { ...box, isSending: false, line: { text: textOfRefusal(event.error), isError: true } }
    case 'lineExpired':
      return box.isSending ? box : { ...box, line: null }
  }
}

/**
 * Leaves a phone number or an e-mail address with the site, as it was typed.
 * @throws {RefusedError} `invalid-contact`, `too-many-requests`
 */
export async function leaveContact(contact: string): Promise<void> {
  await postJson(paths.protect, { tool: contact }, (body) => (isRecord(body) ? body : null))
}

function textOfRefusal(error: unknown): string {
  return error instanceof RefusedError && error.message !== '' ? error.message : messages.unexpected
}
