import { messages } from '@tidings/contracts/messages'
import type { Line } from '../../components/status-line.tsx'
import { RefusedError } from '../../lib/api-client.ts'

/** The password form: what is typed, whether it is being tried, and the line beneath. */
export type GateForm = { password: string; isTrying: boolean; line: Line | null }

export type GateFormEvent =
  | { type: 'typed'; password: string }
  | { type: 'submitted' }
  | { type: 'opened' }
  | { type: 'refused'; error: unknown }
  | { type: 'lineExpired' }

export const emptyGateForm: GateForm = { password: '', isTrying: false, line: null }

/** The next state of the form. An empty password is refused here, before any call. */
export function gateFormReducer(form: GateForm, event: GateFormEvent): GateForm {
  switch (event.type) {
    case 'typed':
      return { ...form, password: event.password }
    case 'submitted':
      if (form.password === '') return { ...form, line: { text: messages.enterPassword, isError: true } }
      return { ...form, isTrying: true, line: { text: messages.pleaseWait, isError: false } }
    case 'opened':
      return emptyGateForm
    case 'refused': {
      const text = textOfRefusal(event.error)
      const password = text === messages.invalidPassword ? '' : form.password
      return { password, isTrying: false, line: { text, isError: true } }
    }
    case 'lineExpired':
      // 'Please wait...' stays for as long as the reader waits.
      return form.isTrying ? form : { ...form, line: null }
  }
}

function textOfRefusal(error: unknown): string {
  if (!(error instanceof RefusedError)) return messages.unexpected
  if (error.code === 'configuration-error') return messages.configurationError
  if (error.status === 401) return messages.invalidPassword
  if (error.status === 400) return messages.enterPassword
  return error.status === 429 && error.message !== '' ? error.message : messages.unexpected
}
