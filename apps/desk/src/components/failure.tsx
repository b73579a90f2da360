/** Says what failed and what to do next. It stays until the next try. */
export function Failure({ text }: { text: string | null }) {
  return (
    <p role="alert" className="failure">
      {text}
    </p>
  )
}
