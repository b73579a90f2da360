import { useSyncExternalStore } from 'react'
import { currentTime } from '#lib/browser/ambient.ts'

const tickMs = 10_000

/** Returns the current time, and renders again every ten seconds. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(subscribe, tickNow))
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, tickMs)
  return () => clearInterval(timer)
}

function tickNow(): number {
  return Math.floor(currentTime() / tickMs) * tickMs
}
