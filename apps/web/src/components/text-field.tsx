import type { ComponentProps } from 'react'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  id: string
  label: string
  /** Id of the error message; null without an error. */
  errorId: string | null
}

/** A labeled text field, associated with its error message. */
export function TextField({ id, label, errorId, ...input }: TextFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} aria-invalid={errorId !== null} aria-describedby={errorId ?? undefined} />
    </div>
  )
}
