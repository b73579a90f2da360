import { limits } from '@tidings/contracts/limits'
import { useEffect, useEffectEvent } from 'react'
import { offlineText, useIsOnline } from '../lib/browser/connection.ts'

/** The message below an action. A new object restarts its timer, even with the same text. */
export type StatusMessage = { text: string; isError: boolean }

type StatusLineProps = { id: string; message: StatusMessage | null; onExpired: () => void }

/**
 * Shows and announces how an action went, and reports after five seconds that the message has expired. Without a
 * connection, it says so instead.
 */
export function StatusLine({ id, message, onExpired }: StatusLineProps) {
  const expired = useEffectEvent(onExpired)
  const isOnline = useIsOnline()
  useEffect(() => {
    if (message === null) return
    const timer = setTimeout(() => expired(), limits.statusLineMs)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <p className="status-line" id={id} data-error={message?.isError ?? false} role="status">
      {message?.text ?? (isOnline ? '' : offlineText)}
    </p>
  )
}
