import type { ComponentProps } from 'react'
import { FieldError, fieldErrorProps } from './forms/field-error.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  id: string
  label: string
  /** Id of an error message elsewhere; null without an error. */
  errorId?: string | null
  /** What is wrong with the field, shown below it; null without an error. */
  error?: string | null
  /** Id of a hint elsewhere; null without a hint. */
  hintId?: string | null
}

/** A labeled text field, associated with its error message. */
export function TextField({
  id,
  label,
  errorId = null,
  error = null,
  hintId = null,
  ...input
}: TextFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        {...fieldErrorProps(id, errorId, error)}
        {...(hintId === null ? {} : { 'aria-describedby': hintId })}
      />
      <FieldError id={id} error={error} />
    </div>
  )
}
