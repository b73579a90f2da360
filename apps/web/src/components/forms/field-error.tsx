/** The ids of the elements that describe a field. */
export type FieldDescription = {
  /** Id of an error message elsewhere; null without an error. */
  errorId?: string | null | undefined
  /** The error of the field, shown below it; null without one. */
  error?: string | null | undefined
  /** Whether the error is announced by itself: no status line says it, and the focus may be in the field already. */
  isAlert?: boolean | undefined
  /** Id of a hint elsewhere, or several with spaces between them; null without a hint. */
  hintId?: string | null | undefined
}

/** Returns the attributes that tie a field to its error and its hint. */
export function describedField(
  id: string,
  { errorId = null, error = null, hintId = null }: FieldDescription,
) {
  const shownErrorId = error === null ? errorId : errorIdOf(id)
  const ids = [shownErrorId, hintId].filter((each) => each !== null)
  return {
    'aria-invalid': shownErrorId !== null,
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
  }
}

type FieldErrorProps = Pick<FieldDescription, 'isAlert'> & { id: string; error: string | null }

/** Shows what is wrong with a field, below it. */
export function FieldError({ id, error, isAlert = false }: FieldErrorProps) {
  if (error === null) return null
  return (
    <p className="field-error" id={errorIdOf(id)} role={isAlert ? 'alert' : undefined}>
      {error}
    </p>
  )
}

function errorIdOf(id: string): string {
  return `${id}-error`
}
