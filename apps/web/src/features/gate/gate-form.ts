import { messages } from '@tidings/contracts/membership/messages'
import type { StatusMessage } from '#components/status-line.tsx'
import { ApiError, NetworkError } from '#lib/api/api-client.ts'
import { offlineText } from '#lib/connection.ts'

/** The password form and the message below it. */
export type GateForm = { password: string; isSubmitting: boolean; message: StatusMessage | null }

export type GateFormEvent =
  | { type: 'typed'; password: string }
  | { type: 'submitted' }
  | { type: 'passed' }
  | { type: 'failed'; error: unknown }
  | { type: 'messageExpired' }

export const emptyGateForm: GateForm = { password: '', isSubmitting: false, message: null }

/** Returns the form's next state. An empty password is rejected here, without a request. */
export function gateFormReducer(form: GateForm, event: GateFormEvent): GateForm {
  switch (event.type) {
    case 'typed':
      return { ...form, password: event.password }
    case 'submitted':
      if (form.password === '') return { ...form, message: { text: messages.enterPassword, isError: true } }
      return { ...form, isSubmitting: true, message: { text: messages.pleaseWait, isError: false } }
    case 'passed':
      return emptyGateForm
    case 'failed': {
      const text = errorText(event.error)
      const password = text === messages.invalidPassword ? '' : form.password
      return { password, isSubmitting: false, message: { text, isError: true } }
    }
    case 'messageExpired':
      // 'Please wait...' stays until the server replies.
      return form.isSubmitting ? form : { ...form, message: null }
  }
}

function errorText(error: unknown): string {
  if (error instanceof NetworkError) return offlineText
  if (!(error instanceof ApiError)) return messages.unexpected
  if (error.code === 'configuration-error') return messages.configurationError
  if (error.status === 401) return messages.invalidPassword
  if (error.status === 400) return messages.enterPassword
  return error.status === 429 && error.message !== '' ? error.message : messages.unexpected
}
