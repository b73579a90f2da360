import { limits } from '@tidings/contracts/limits'
import { useEffect, useEffectEvent } from 'react'

/** A line beneath an action. A new object is a new telling, even with the same text. */
export type Line = { text: string; isError: boolean }

type StatusLineProps = { id: string; line: Line | null; onExpired: () => void }

/** Says how an action went, aloud too, and asks to be cleared after five seconds. */
export function StatusLine({ id, line, onExpired }: StatusLineProps) {
  const expired = useEffectEvent(onExpired)
  useEffect(() => {
    if (line === null) return
    const timer = setTimeout(() => expired(), limits.statusLineMs)
    return () => clearTimeout(timer)
  }, [line])
  return (
    <p className="status-line" id={id} data-error={line?.isError ?? false} role="status">
      {line?.text ?? ''}
    </p>
  )
}
