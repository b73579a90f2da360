/** Stands for a text until its editor is loaded. */
export function LoadingText() {
  return (
    <p role="status" className="loading">
      Loading the text…
    </p>
  )
}
