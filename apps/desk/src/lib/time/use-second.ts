import { useSyncExternalStore } from 'react'
import { currentTime } from '#lib/browser/ambient.ts'
import { useNow } from './use-now.ts'

const secondMs = 1_000

/** Returns the current time, and renders again every second; every ten seconds where nothing counts them. */
export function useSecond(isCounted = true): Date {
  const now = useNow()
  const second = useSyncExternalStore(isCounted ? subscribe : never, isCounted ? readSecond : none)
  return second === null ? now : new Date(second)
}

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, secondMs)
  return () => clearInterval(timer)
}

function readSecond(): number {
  return Math.floor(currentTime() / secondMs) * secondMs
}

const never = () => () => {}
const none = () => null
