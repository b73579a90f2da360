import type { FormEvent, ReactNode } from 'react'
import { StatusLine } from '../status-line.tsx'
import type { FormSubmission } from './use-submission.ts'

type FormProps = {
  submission: FormSubmission
  /** The button's label. */
  action: string
  onSubmit: () => void
  /** The element beside the button. */
  beside?: ReactNode
  /** Whether the button stays in the window. */
  isSticky?: boolean
  children: ReactNode
}

/** A form with one action, and the line that says how it went. */
export function Form({ submission, action, onSubmit, beside, isSticky = false, children }: FormProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="form" onSubmit={submit} noValidate aria-busy={submission.isBusy}>
      {children}
      <div className="form-end" data-sticky={isSticky}>
        {beside}
        <button type="submit" id={submission.actionId} className="button" aria-disabled={submission.isBusy}>
          {action}
        </button>
        <StatusLine
          id={submission.messageId}
          message={submission.message}
          onExpired={submission.expireMessage}
        />
      </div>
    </form>
  )
}
