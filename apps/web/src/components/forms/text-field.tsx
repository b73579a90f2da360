import type { ComponentProps } from 'react'
import { describedField, type FieldDescription, FieldError } from './field-error.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> &
  FieldDescription & { id: string; label: string }

/** A labeled text field, associated with its error message and its hint. */
export function TextField({ id, label, errorId, error = null, isAlert, hintId, ...input }: TextFieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} id={id} {...describedField(id, { errorId, error, hintId })} />
      <FieldError id={id} error={error} isAlert={isAlert} />
    </div>
  )
}
