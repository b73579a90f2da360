import { useSyncExternalStore } from 'react'
import { currentTime } from '#lib/browser/ambient.ts'

const secondMs = 1_000

/** Returns the current time, and renders again every second. */
export function useSecond(): Date {
  return new Date(useSyncExternalStore(subscribe, readSecond))
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, secondMs)
  return () => clearInterval(timer)
}

function readSecond(): number {
  return Math.floor(currentTime() / secondMs) * secondMs
}
