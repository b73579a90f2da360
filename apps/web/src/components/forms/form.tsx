import type { FormEvent, ReactNode } from 'react'
import { StatusLine } from '../status-line.tsx'
import type { FormSubmission } from './use-submission.ts'

type FormProps = {
  submission: FormSubmission
  /** The button's label. */
  action: string
  onSubmit: () => void
  children: ReactNode
}

/** A form with one action, and the line that says how it went. */
export function Form({ submission, action, onSubmit, children }: FormProps) {
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="form" onSubmit={submit} noValidate aria-busy={submission.isBusy}>
      {children}
      <button type="submit" className="button" aria-disabled={submission.isBusy}>
        {action}
      </button>
      <StatusLine
        id={submission.messageId}
        message={submission.message}
        onExpired={submission.expireMessage}
      />
    </form>
  )
}
