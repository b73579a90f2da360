import type { ComponentProps } from 'react'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  id: string
  label: string
  /** Id of the line that says what is wrong; null while nothing is. */
  errorId: string | null
}

/** A labelled line to type in; its error is tied to it. */
export function TextField({ id, label, errorId, ...input }: TextFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} aria-invalid={errorId !== null} aria-describedby={errorId ?? undefined} />
    </div>
  )
}
