import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState } from 'react'
import { useServices } from '#lib/services/services.tsx'
import type { MemoEvent } from '../memo.ts'
import { createLiveFeed } from './live-feed.ts'

/** How long the page may be hidden before its socket is closed. */
const closeWhenHiddenMs = 300_000

type Listener = (event: MemoEvent) => void

const ListenersContext = createContext<Set<Listener> | null>(null)

type LiveFeedProviderProps = {
  /** Whether the feed may be opened: only once the gate is passed. */
  isEnabled: boolean
  onGap: () => void
  onRefused: () => void
  children: ReactNode
}

/** Runs the page's one live feed and passes the events of memos to the components that listen. */
export function LiveFeedProvider({ isEnabled, onGap, onRefused, children }: LiveFeedProviderProps) {
  const { clock, openSocket } = useServices()
  const [listeners] = useState(() => new Set<Listener>())
  const gap = useEffectEvent(onGap)
  const refused = useEffectEvent(onRefused)

  useEffect(() => {
    if (!isEnabled) return
    const feed = createLiveFeed({
      openSocket,
      random: clock.random,
      onMemoEvent: (event) => {
        for (const listener of listeners) listener(event)
      },
      onGap: () => gap(),
      onRefused: () => refused(),
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    function followVisibility() {
      clearTimeout(timer)
      if (document.hidden) {
        timer = setTimeout(feed.stop, closeWhenHiddenMs)
      } else {
        feed.start()
        feed.reconnectNow()
      }
    }
    feed.start()
    window.addEventListener('online', feed.reconnectNow)
    document.addEventListener('visibilitychange', followVisibility)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', feed.reconnectNow)
      document.removeEventListener('visibilitychange', followVisibility)
      feed.stop()
    }
  }, [isEnabled, openSocket, clock, listeners])

  return <ListenersContext value={listeners}>{children}</ListenersContext>
}

/**
 * Calls back with every event of a memo while the component is shown.
 * @throws {Error} outside of a `LiveFeedProvider`
 */
export function useMemoEvents(onMemoEvent: Listener): void {
  const listeners = use(ListenersContext)
  if (listeners === null) throw new Error('useMemoEvents is called outside of a LiveFeedProvider')
  const notify = useEffectEvent(onMemoEvent)
  useEffect(() => {
    const listener: Listener = (event) => notify(event)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [listeners])
}
