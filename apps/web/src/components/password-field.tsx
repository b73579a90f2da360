import { type ComponentProps, useState } from 'react'
import { FieldError, fieldErrorProps } from './forms/field-error.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'> & {
  id: string
  label: string
  /** Id of an error message elsewhere; null without an error. */
  errorId?: string | null
  /** What is wrong with the field, shown below it; null without an error. */
  error?: string | null
}

/** A labeled password field, hidden until the reader asks to see it. */
export function PasswordField({ id, label, errorId = null, error = null, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-with-action">
        <input
          {...input}
          id={id}
          type={isShown ? 'text' : 'password'}
          {...fieldErrorProps(id, errorId, error)}
        />
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      <FieldError id={id} error={error} />
    </div>
  )
}
