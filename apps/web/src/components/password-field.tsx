import { type ComponentProps, useState } from 'react'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className' | 'type'> & {
  id: string
  label: string
  /** Id of the error message; null without an error. */
  errorId: string | null
}

/** A labeled password field, hidden until the reader asks to see it. */
export function PasswordField({ id, label, errorId, ...input }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-with-action">
        <input
          {...input}
          id={id}
          type={isShown ? 'text' : 'password'}
          aria-invalid={errorId !== null}
          aria-describedby={errorId ?? undefined}
        />
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
    </div>
  )
}
