import type { ReactNode } from 'react'

/** A sentence in the place of a list, with what can be done about it. */
export function PlainWord({ sentence, children }: { sentence: string; children?: ReactNode }) {
  return (
    <div className="plain-word">
      <p role="status">{sentence}</p>
      {children === undefined ? null : <p className="plain-word-action">{children}</p>}
    </div>
  )
}
