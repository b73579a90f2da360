/** Returns the attributes that tie a field to its error: its own below it, or a message elsewhere. */
export function fieldErrorProps(id: string, errorId: string | null, error: string | null) {
  const describedBy = error === null ? errorId : errorIdOf(id)
  return { 'aria-invalid': describedBy !== null, 'aria-describedby': describedBy ?? undefined }
}

/** Shows what is wrong with a field, below it. */
export function FieldError({ id, error }: { id: string; error: string | null }) {
  if (error === null) return null
  return (
    <p className="field-error" id={errorIdOf(id)}>
      {error}
    </p>
  )
}

function errorIdOf(id: string): string {
  return `${id}-error`
}
