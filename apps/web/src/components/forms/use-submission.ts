import { messages } from '@tidings/contracts/membership/messages'
import { type ChangeEvent, type Dispatch, type RefObject, useEffect, useReducer, useRef } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { useServices } from '#lib/services/services.tsx'
import type { StatusMessage } from '../status-line.tsx'
import {
  type FieldChecks,
  type FieldErrors,
  hasProblem,
  refusalText,
  useFieldChecks,
} from './field-checks.ts'

/** The states of a submitted form. `errorsFrom`: the form's own checks or the server found the errors. */
export type Submission = {
  stage: 'idle' | 'busy' | 'leaving'
  message: StatusMessage | null
  fieldErrors: FieldErrors
  errorsFrom: 'checks' | 'server'
}

type SubmissionEvent =
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

/**
 * How an action went: a text to show for five seconds; `done` without a text; or the address of another site's page to
 * open, which keeps the form busy until the reader comes back.
 */
export type Outcome = { text: string } | { page: string } | 'done'

/** An action. `isShown` returns whether its form is still on the screen: a reader who has gone on is not called back. */
type Action = (isShown: () => boolean) => Promise<Outcome>

export type FormSubmission = ReturnType<typeof useSubmission>

type Submitting = {
  /** The texts of the fields that are checked, in their order. */
  values: Record<string, string>
  /** The text of the line when a value is missing. */
  missing: string
  action: Action
  errorsOf?: (error: unknown) => FieldErrors
}

const noChecks: FieldChecks = {}

function useIsShown(): RefObject<boolean> {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}

function focusFirst(formId: string, errors: FieldErrors): void {
  const [first] = Object.keys(errors)
  if (first !== undefined) document.getElementById(`${formId}-${first}`)?.focus()
}

function useReturn(isRunning: RefObject<boolean>, dispatch: Dispatch<SubmissionEvent>): void {
  useEffect(() => {
    // The browser shows a page that was left as it was, also its busy form.
    function onShow({ persisted }: PageTransitionEvent) {
      if (!persisted) return
      isRunning.current = false
      dispatch({ type: 'cameBack' })
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [isRunning, dispatch])
}

/**
 * Runs the action of a form once at a time, with 'Please wait...', and shows how it went.
 * @param formId prefix of the ids of the form's elements
 * @param checks what the fields take; an error is shown from the first submission until the field is right
 */
export function useSubmission(formId: string, checks = noChecks) {
  const { openPage, leaveGuard } = useServices()
  const [submission, dispatch] = useReducer(submissionReducer, idleSubmission)
  const { stage, message, fieldErrors } = submission
  // A second click can come before the first one is rendered.
  const isRunning = useRef(false)
  const isShown = useIsShown()
  const fieldChecks = useFieldChecks(checks)
  const idOf = (name: string) => `${formId}-${name}`

  useReturn(isRunning, dispatch)

  /** Rejects the form without a request: shows the text for five seconds, and each field's error until it changes. */
  function refuse(text: string, errors: FieldErrors = {}): void {
    if (isRunning.current) return
    dispatch({ type: 'refused', text, fieldErrors: errors })
    focusFirst(formId, errors)
  }

  /**
   * Runs the action unless one is running, and shows its error.
   * @param errorsOf returns which fields an error is about
   */
  async function run(action: Action, errorsOf: (error: unknown) => FieldErrors = () => ({})): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    dispatch({ type: 'started' })
    try {
      const outcome = await action(() => isShown.current)
      if (outcome !== 'done' && 'page' in outcome) {
        if (!isShown.current) return dispatch({ type: 'leftPage' })
        if (await leaveGuard.ask()) {
          dispatch({ type: 'leftPage' })
          return leaveGuard.leave(() => openPage(outcome.page))
        }
      }
      dispatch({ type: 'finished', text: outcome !== 'done' && 'text' in outcome ? outcome.text : null })
      isRunning.current = false
    } catch (error) {
      const errors = errorsOf(error)
      dispatch({ type: 'failed', text: errorText(error), fieldErrors: errors })
      isRunning.current = false
      focusFirst(formId, errors)
    }
  }

  /** Checks all fields at once, and runs the action when nothing is wrong and the reader is still there. */
  async function submit({ values, missing, action, errorsOf }: Submitting): Promise<void> {
    if (isRunning.current) return
    const { wrong, unfinished, ...later } = fieldChecks.check(values)
    const textOf = (errors: FieldErrors) => refusalText(errors, values, missing)
    if (hasProblem(wrong)) {
      refuse(textOf(wrong), wrong)
      return void unfinished?.then(() => {
        const errors = later.isMoreWrong() && !isRunning.current ? later.stillWrong() : {}
        if (hasProblem(errors)) dispatch({ type: 'refused', text: textOf(errors), fieldErrors: errors })
      })
    }
    if (unfinished !== null) {
      isRunning.current = true
      dispatch({ type: 'started' })
      await unfinished
      isRunning.current = false
      if (!isShown.current) return
    }
    if (!later.isMoreWrong()) return await run(action, errorsOf)
    const errors = later.stillWrong()
    refuse(hasProblem(errors) ? textOf(errors) : 'Try again.', errors)
  }

  const field = (name: string) => ({ id: idOf(name), name, error: fieldErrors[name] ?? null })
  const changed = (name: string, text?: string) => {
    const problem = text === undefined ? null : fieldChecks.problemOf(name, text)
    dispatch({ type: 'fieldChanged', name, problem })
  }

  return {
    isBusy: stage !== 'idle',
    message,
    messageId: idOf('message'),
    actionId: idOf('action'),
    refuse,
    run,
    submit,
    /** Returns the props that tie a field to its error. */
    field,
    /** Removes a field's error, unless its text is still wrong; call it when the field changes. */
    changed,
    /** Returns the props of a text field: its error, its value and what changes it. */
    input: (name: string, value: string, onText: (text: string) => void) => ({
      ...field(name),
      value,
      onChange(event: ChangeEvent<HTMLInputElement>) {
        onText(event.target.value)
        changed(name, event.target.value)
      },
    }),
    expireMessage: () => dispatch({ type: 'messageExpired' }),
  }
}
