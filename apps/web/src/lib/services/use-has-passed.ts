import { useEffect, useState } from 'react'
import { useServices } from './services.tsx'

/** For so long, an email or a text that was sent may be on its way: no screen offers to send another one. */
export const onItsWayMs = 60_000

/** Returns whether so much time has passed since an instant. A clock that is wrong delays it by that time at most. */
export function useHasPassed(since: number, durationMs: number): boolean {
  const { clock } = useServices()
  const [passed, setPassed] = useState<number | null>(null)
  const leftOf = () => Math.min(durationMs, since + durationMs - clock.now().getTime())
  const [initial, setInitial] = useState({ since, left: leftOf() })
  if (initial.since !== since) setInitial({ since, left: leftOf() })
  const hasLeft = initial.left > 0
  useEffect(() => {
    if (!hasLeft) return
    const timer = setTimeout(() => setPassed(initial.since), initial.left)
    return () => clearTimeout(timer)
  }, [hasLeft, initial])
  return !hasLeft || passed === since
}
