import { setTimeout } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'

/** Returns a function that resolves at most so many times each second, evenly spaced; 0 for no limit. */
export function createPerSecond(
  perSecond: number,
  clock: Clock,
  wait: (ms: number) => Promise<unknown> = (ms) => setTimeout(ms),
): () => Promise<void> {
  let nextAt = 0
  return async () => {
    if (perSecond === 0) return
    const now = clock.now().getTime()
    const at = Math.max(now, nextAt)
    nextAt = at + 1000 / perSecond
    if (at > now) await wait(at - now)
  }
}
