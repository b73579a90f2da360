import { messages } from '@tidings/contracts/membership/messages'
import type { StatusMessage } from '#components/status-line.tsx'
import { ApiError, NetworkError } from '#lib/api/api-client.ts'
import { offlineText } from '#lib/browser/connection.ts'

/** The password form, the error at its field and the message below it. */
export type GateForm = {
  password: string
  isSubmitting: boolean
  error: string | null
  message: StatusMessage | null
}

export type GateFormEvent =
  | { type: 'typed'; password: string }
  | { type: 'submitted' }
  | { type: 'passed' }
  | { type: 'failed'; error: unknown }
  | { type: 'messageExpired' }

export const emptyGateForm: GateForm = { password: '', isSubmitting: false, error: null, message: null }

/** Returns the form's next state. An empty password is rejected here, without a request. */
export function gateFormReducer(form: GateForm, event: GateFormEvent): GateForm {
  switch (event.type) {
    case 'typed':
      return { ...form, password: event.password, error: event.password === '' ? form.error : null }
    case 'submitted':
      if (form.password === '') {
        const message = { text: messages.enterPassword, isError: true }
        return { ...form, message, error: 'Enter the password of this site.' }
      }
      return {
        ...form,
        error: null,
        isSubmitting: true,
        message: { text: messages.pleaseWait, isError: false },
      }
    case 'passed':
      return emptyGateForm
    case 'failed': {
      const text = errorText(event.error)
      const isWrong = text === messages.invalidPassword
      const password = isWrong ? '' : form.password
      const error = isWrong ? 'Check the password, and enter it again.' : null
      return { password, error, isSubmitting: false, message: { text, isError: true } }
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
