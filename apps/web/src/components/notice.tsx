import type { ReactNode } from 'react'

/** A sentence in place of a list, with an action below it. */
export function Notice({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="notice">
      <p role="status">{text}</p>
      {children === undefined ? null : <p className="notice-action">{children}</p>}
    </div>
  )
}
