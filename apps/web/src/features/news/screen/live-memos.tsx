import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useServices } from '#lib/services/services.tsx'
import { addSlotToDay, newestEdition, slotsOfDay } from '../editions/edition-queries.ts'
import { createLiveFeed } from '../live-feed/live-feed.ts'
import { OfferedMemoProvider } from '../live-feed/offered-memo.tsx'
import type { MemoEvent } from '../memo.ts'
import { findMemo, putMemo, refreshEdition, removeMemo } from '../memos/edition-memos.ts'
import { useLikesOfOtherTabs } from '../memos/likes-of-other-tabs.ts'

/** How long the page may be hidden before its socket is closed. */
const closeWhenHiddenMs = 300_000

/** An edition is read again within this time after an event, at a random moment that spreads the readers. */
const refreshWithinMs = 3000

/** A new memo in another edition of the day on the screen. */
type NewElsewhere = { editionKey: string; slot: string; memoId: string; isNewEdition: boolean }

type LiveMemos = {
  elsewhere: NewElsewhere | null
  /** Sets the edition on the screen. */
  setShown: (editionKey: string | null) => void
}

const LiveMemosContext = createContext<LiveMemos | null>(null)

type LiveFeedProps = {
  /** Whether the feed may be opened: only once the gate is passed. */
  isEnabled: boolean
  onGap: () => void
  onRefused: () => void
}

/** Runs the page's one live feed, applies its events to the cache, and announces new and withdrawn memos politely. */
export function LiveMemosProvider({ children, ...feed }: LiveFeedProps & { children: ReactNode }) {
  const { config } = useServices()
  const queryClient = useQueryClient()
  const [elsewhere, setElsewhere] = useState<NewElsewhere | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const shown = useRef<string | null>(null)
  const refreshSoon = useRefreshSoon()
  useLikesOfOtherTabs()

  const setShown = useCallback((editionKey: string | null) => {
    shown.current = editionKey
    setElsewhere((before) => (before?.editionKey === editionKey ? null : before))
  }, [])

  useLiveFeed(feed, (event) => {
    const { editionKey } = event
    if (event.kind === 'withdrawn') {
      if (editionKey === shown.current && findMemo(queryClient, editionKey, event.memoId) !== undefined)
        setAnnouncement('A memo was withdrawn.')
      if (removeMemo(queryClient, editionKey, event.memoId)) refreshSoon(editionKey)
      return
    }
    const isKnown = findMemo(queryClient, editionKey, event.memo.id) !== undefined
    if (putMemo(queryClient, editionKey, event.memo, event.position)) refreshSoon(editionKey)
    if (event.kind === 'new' && !isKnown) noteNewMemo(event)
  })

  function noteNewMemo({ editionKey, date, slot, memo }: Extract<MemoEvent, { kind: 'new' | 'changed' }>) {
    const day = { date, slots: config.slots }
    const slotsBefore = queryClient.getQueryData(slotsOfDay(date, config.slots).queryKey)
    addSlotToDay(queryClient, day, slot)
    void queryClient.invalidateQueries({ queryKey: newestEdition.queryKey })
    const isOfShownDay = shown.current?.slice(0, 8) === editionKey.slice(0, 8)
    if (isOfShownDay && editionKey !== shown.current) {
      const isNewEdition = slotsBefore?.includes(slot) === false
      const arrival = { editionKey, slot, memoId: memo.id, isNewEdition }
      // The first memo of a new edition adds its slot, so the next ones find it.
      setElsewhere((before) => (before?.editionKey === editionKey && before.isNewEdition ? before : arrival))
    }
    if (isOfShownDay || shown.current === null) setAnnouncement(`New memo: ${memo.title}`)
  }

  const liveMemos = useMemo<LiveMemos>(() => ({ elsewhere, setShown }), [elsewhere, setShown])
  return (
    <LiveMemosContext value={liveMemos}>
      <OfferedMemoProvider>{children}</OfferedMemoProvider>
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </LiveMemosContext>
  )
}

/** Keeps the feed open while the page is visible, and calls back with every event of a memo. */
function useLiveFeed(
  { isEnabled, onGap, onRefused }: LiveFeedProps,
  onMemoEvent: (event: MemoEvent) => void,
) {
  const { clock, openSocket } = useServices()
  const notify = useEffectEvent(onMemoEvent)
  const gap = useEffectEvent(onGap)
  const refused = useEffectEvent(onRefused)

  useEffect(() => {
    if (!isEnabled) return
    const feed = createLiveFeed({
      openSocket,
      random: clock.random,
      onMemoEvent: (event) => notify(event),
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
  }, [isEnabled, openSocket, clock])
}

/** Returns a function that reads an edition again soon, once for a burst of events. */
function useRefreshSoon(): (editionKey: string) => void {
  const { clock } = useServices()
  const queryClient = useQueryClient()
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running.values()) clearTimeout(timer)
    }
  }, [])
  return (editionKey) => {
    clearTimeout(timers.current.get(editionKey))
    const delayMs = clock.random() * refreshWithinMs
    const timer = setTimeout(() => void refreshEdition(queryClient, editionKey), delayMs)
    timers.current.set(editionKey, timer)
  }
}

/**
 * Returns what the live feed brought to other editions, and the action that says which one is shown.
 * @throws {Error} outside of a `LiveMemosProvider`
 */
export function useLiveMemos(): LiveMemos {
  const liveMemos = use(LiveMemosContext)
  if (liveMemos === null) throw new Error('useLiveMemos is called outside of a LiveMemosProvider')
  return liveMemos
}
