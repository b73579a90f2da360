import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'

type Options = {
  /** How many events of one key are within the limit, and how many of these of all keys together. */
  max: number
  maxInAll?: number
  seconds: number
  clock: Clock
}

// More keys than this make room for each other, so that strangers can't fill the memory.
const maxKeys = 10_000

/** Counts events by key in this process, from the first event of a key until so many seconds later. */
export function createEventLimit({ max, maxInAll = Number.POSITIVE_INFINITY, seconds, clock }: Options) {
  const windowMs = seconds * 1000
  const windows = new LRUCache<string, { since: number; events: number }>({ max: maxKeys })
  let all = { since: 0, events: 0 }

  function count(window: { since: number; events: number } | undefined) {
    const now = clock.now().getTime()
    const isOver = window === undefined || now - window.since >= windowMs
    return isOver ? { since: now, events: 1 } : { since: window.since, events: window.events + 1 }
  }

  return {
    /** Counts an event. Returns whether it is within the limit. */
    take(key: string): boolean {
      const window = count(windows.get(key))
      windows.set(key, window)
      if (window.events > max) return false
      all = count(all)
      return all.events <= maxInAll
    },
  }
}
