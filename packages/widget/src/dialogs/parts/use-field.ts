import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'

/** The value of an input, with its error once it is shown. */
export type FieldState = {
  value: string
  error: string | undefined
  isValid: boolean
  ref: RefObject<HTMLInputElement | null>
  set: (value: string) => void
  showError: () => void
  onBlur: () => void
}

/** Holds the value of an input. The error is shown after the first submission, or when the input is left with a text. */
export function useField(
  check: (value: string) => string | undefined = () => undefined,
  initial = '',
): FieldState {
  const [value, set] = useState(initial)
  const [isShown, setShown] = useState(false)
  const ref = useRef<HTMLInputElement>(null)
  const problem = check(value)
  return {
    value,
    error: isShown ? problem : undefined,
    isValid: problem === undefined,
    ref,
    set,
    showError: () => setShown(true),
    onBlur: () => setShown(value !== ''),
  }
}

/** Returns whether all fields are valid. Otherwise shows their errors and focuses the first invalid one. */
export function areValid(...fields: readonly FieldState[]): boolean {
  for (const field of fields) field.showError()
  const invalid = fields.find(({ isValid }) => !isValid)
  invalid?.ref.current?.focus()
  return invalid === undefined
}
