import { messages } from '@tidings/contracts/membership/messages'
import type { StatusMessage } from '../status-line.tsx'

/** The errors of fields, by their names. */
export type FieldErrors = Record<string, string>

/** The states of a submitted form. `errorsFrom`: the form's own checks or the server found the errors. */
export type Submission = {
  stage: 'idle' | 'busy' | 'leaving'
  message: StatusMessage | null
  fieldErrors: FieldErrors
  errorsFrom: 'checks' | 'server'
}

export type SubmissionEvent =
  | { type: 'refused'; text: string; fieldErrors: FieldErrors }
  | { type: 'started' }
  | { type: 'failed'; text: string; fieldErrors: FieldErrors }
  | { type: 'finished'; text: string | null }
  | { type: 'leftPage' }
  | { type: 'cameBack' }
  | { type: 'fieldChanged'; name: string; problem: string | null }
  | { type: 'messageExpired' }

export const idleSubmission: Submission = {
  stage: 'idle',
  message: null,
  fieldErrors: {},
  errorsFrom: 'checks',
}

export function submissionReducer(submission: Submission, event: SubmissionEvent): Submission {
  switch (event.type) {
    case 'refused':
    case 'failed': {
      const { text, fieldErrors } = event
      const errorsFrom = event.type === 'refused' ? 'checks' : 'server'
      return { stage: 'idle', message: { text, isError: true }, fieldErrors, errorsFrom }
    }
    case 'started': {
      const message = { text: messages.pleaseWait, isError: false }
      return { ...submission, stage: 'busy', message, fieldErrors: {} }
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
      // Only the server can say whether a value that it refused is right now.
      if (event.problem === null || submission.errorsFrom === 'server')
        return { ...submission, fieldErrors: others }
      return { ...submission, fieldErrors: { ...submission.fieldErrors, [event.name]: event.problem } }
    }
    case 'messageExpired':
      // 'Please wait...' stays until the server replies.
      return submission.stage === 'idle' ? { ...submission, message: null } : submission
  }
}
