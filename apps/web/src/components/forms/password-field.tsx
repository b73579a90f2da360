import { type ComponentProps, useState } from 'react'
import { describedField, type FieldDescription, FieldError } from './field-error.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'> &
  FieldDescription & { id: string; label: string }

/** A labeled password field, hidden until the reader asks to see it. */
export function PasswordField({
  id,
  label,
  errorId,
  error = null,
  isAlert,
  hintId,
  ...input
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-with-action">
        <input
          autoCapitalize="none"
          spellCheck={false}
          maxLength={1024}
          {...input}
          id={id}
          type={isShown ? 'text' : 'password'}
          {...describedField(id, { errorId, error, hintId })}
        />
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      <FieldError id={id} error={error} isAlert={isAlert} />
    </div>
  )
}
