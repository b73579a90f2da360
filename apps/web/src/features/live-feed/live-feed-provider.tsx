import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState } from 'react'
import { useSurroundings } from '../../lib/surroundings.tsx'
import type { Arrival } from './arrival.ts'
import { createLiveFeed } from './live-feed.ts'

/** For how long the page may be out of sight until the socket is let go. */
const hiddenMs = 300_000

type Listener = (arrival: Arrival) => void

const ListenersContext = createContext<Set<Listener> | null>(null)

type LiveFeedProviderProps = {
  /** Whether the feed may be opened: only once the gate is passed. */
  isEnabled: boolean
  onGap: () => void
  onRefused: () => void
  children: ReactNode
}

/** Keeps the one live feed of the page, and hands what arrives to whoever listens inside. */
export function LiveFeedProvider({ isEnabled, onGap, onRefused, children }: LiveFeedProviderProps) {
  const { clock, openSocket } = useSurroundings()
  const [listeners] = useState(() => new Set<Listener>())
  const gap = useEffectEvent(onGap)
  const refused = useEffectEvent(onRefused)

  useEffect(() => {
    if (!isEnabled) return
    const feed = createLiveFeed({
      openSocket,
      chance: clock.chance,
      onArrival: (arrival) => {
        for (const listener of listeners) listener(arrival)
      },
      onGap: () => gap(),
      onRefused: () => refused(),
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    function followSight() {
      clearTimeout(timer)
      if (document.hidden) {
        timer = setTimeout(feed.stop, hiddenMs)
      } else {
        feed.start()
        feed.hurry()
      }
    }
    feed.start()
    window.addEventListener('online', feed.hurry)
    document.addEventListener('visibilitychange', followSight)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', feed.hurry)
      document.removeEventListener('visibilitychange', followSight)
      feed.stop()
    }
  }, [isEnabled, openSocket, clock, listeners])

  return <ListenersContext value={listeners}>{children}</ListenersContext>
}

/**
 * Calls back with every memo that arrives while this part is shown.
 * @throws {Error} outside of a `LiveFeedProvider`
 */
export function useArrivals(onArrival: Listener): void {
  const listeners = use(ListenersContext)
  if (listeners === null) throw new Error('A LiveFeedProvider is missing around this part')
  const arrive = useEffectEvent(onArrival)
  useEffect(() => {
    const listener: Listener = (arrival) => arrive(arrival)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [listeners])
}
