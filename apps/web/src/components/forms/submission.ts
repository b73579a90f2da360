import { messages } from '@tidings/contracts/membership/messages'
import type { StatusMessage } from '../status-line.tsx'

/** The errors of fields, by their names. */
export type FieldErrors = Record<string, string>

/** What happens to a form when it is submitted. */
export type Submission = {
  stage: 'idle' | 'busy' | 'leaving'
  message: StatusMessage | null
  fieldErrors: FieldErrors
}

export type SubmissionEvent =
  | { type: 'refused'; text: string; fieldErrors: FieldErrors }
  | { type: 'started' }
  | { type: 'failed'; text: string; fieldErrors: FieldErrors }
  | { type: 'finished'; text: string | null }
  | { type: 'leftPage' }
  | { type: 'cameBack' }
  | { type: 'fieldChanged'; name: string }
  | { type: 'messageExpired' }

export const idleSubmission: Submission = { stage: 'idle', message: null, fieldErrors: {} }

export function submissionReducer(submission: Submission, event: SubmissionEvent): Submission {
  switch (event.type) {
    case 'refused':
    case 'failed': {
      const { text, fieldErrors } = event
      return { stage: 'idle', message: { text, isError: true }, fieldErrors }
    }
    case 'started': {
      const message = { text: messages.pleaseWait, isError: false }
      return { stage: 'busy', message, fieldErrors: {} }
    }
    case 'finished':
      return event.text === null
        ? idleSubmission
        : { ...idleSubmission, message: { text: event.text, isError: false } }
    case 'leftPage':
      return { ...submission, stage: 'leaving' }
    case 'cameBack':
      return submission.stage === 'leaving' ? idleSubmission : submission
    case 'fieldChanged': {
      if (!(event.name in submission.fieldErrors)) return submission
      const { [event.name]: _, ...others } = submission.fieldErrors
      return { ...submission, fieldErrors: others }
    }
    case 'messageExpired':
      // 'Please wait...' stays until the server replies.
      return submission.stage === 'idle' ? { ...submission, message: null } : submission
  }
}
