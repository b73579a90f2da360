import './failure.css'
import { type ReactNode, useState } from 'react'

type Props = {
  /** Null if nothing failed. */
  text: string | null
  /** The deed that was not done, as a sentence. */
  title?: string | undefined
  /** Whether the person can close it: not if it stands for what can't be read. */
  canClose?: boolean
  /** A way on, before Close. */
  children?: ReactNode
}

/** Says what failed, what is true now, and what to do next. It stays until it is closed, or until the next try. */
export function Failure({ text, title, canClose = false, children }: Props) {
  const [isClosed, setIsClosed] = useState(false)
  if (text === null && isClosed) setIsClosed(false)
  if (!canClose) return <FailureText text={text} />
  const isOpen = text !== null && !isClosed
  return (
    <div className={isOpen ? 'failure-box' : 'failure-none'}>
      <FailureText text={isOpen ? text : null} title={title} />
      {isOpen && (
        <p className="failure-actions">
          {children}
          <button type="button" className="plain quiet" onClick={() => setIsClosed(true)}>
            Close
          </button>
        </p>
      )}
    </div>
  )
}

function FailureText({ text, title }: { text: string | null; title?: string | undefined }) {
  return (
    <p role="alert" className="failure">
      {title !== undefined && text !== null ? (
        <>
          {title} <span>{text}</span>
        </>
      ) : (
        text
      )}
    </p>
  )
}
