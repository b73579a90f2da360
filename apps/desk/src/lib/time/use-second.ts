import { useSyncExternalStore } from 'react'
import { currentTime } from '#lib/browser/ambient.ts'

const secondMs = 1_000

/** Returns the current time in milliseconds, and renders again every second. */
export function useSecond(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(currentTime() / secondMs) * secondMs)
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, secondMs)
  return () => clearInterval(timer)
}
