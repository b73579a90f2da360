import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { isPageScrolled } from '#components/page-scroll.ts'
import { useServices } from '#lib/services.tsx'
import { newestEdition } from '../editions/newest-edition.ts'
import { addSlotToDay } from '../editions/time-list.ts'
import { useNewMemos } from '../live-feed/live-feed-provider.tsx'
import type { NewMemo } from '../live-feed/new-memo.ts'
import { pendingMemosReducer } from '../live-feed/pending-memos.ts'
import { addMemo, refreshEdition } from '../memos/edition-memos.ts'
import type { Memo } from '../memos/memo.ts'

/** After a new memo its edition is read again within this time, at a random moment that spreads the readers. */
const refreshWithinMs = 3000

type LiveMemos = {
  /** New memos that are not shown yet, because they would move what the reader is reading. */
  pending: readonly NewMemo[]
  /** Sets the edition on the screen, whose memos must not move while they are read. */
  setShown: (editionKey: string | null) => void
  /** Adds the pending memos of an edition to it. */
  showPending: (editionKey: string) => void
}

const LiveMemosContext = createContext<LiveMemos | null>(null)

/** Adds new memos from the live feed to the cache, or keeps them pending, and announces them politely. */
export function LiveMemosProvider({ children }: { children: ReactNode }) {
  const { config, clock } = useServices()
  const queryClient = useQueryClient()
  const [pending, dispatch] = useReducer(pendingMemosReducer, [])
  const [announcement, setAnnouncement] = useState('')
  const shown = useRef<string | null>(null)
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  const addToEdition = useCallback(
    (editionKey: string, memo: Memo) => {
      addMemo(queryClient, editionKey, memo)
      // The event has no position, so the edition is read again, once for a burst of memos.
      clearTimeout(timers.current.get(editionKey))
      const refresh = () => {
        const isBeingRead = editionKey === shown.current && isPageScrolled()
        void refreshEdition(queryClient, editionKey, isBeingRead ? 'later' : 'now')
      }
      timers.current.set(editionKey, setTimeout(refresh, clock.random() * refreshWithinMs))
    },
    [queryClient, clock],
  )

  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running.values()) clearTimeout(timer)
    }
  }, [])

  useNewMemos((arrival) => {
    const { editionKey, date, slot, memo } = arrival
    addSlotToDay(queryClient, { date, slots: config.slots }, slot)
    void queryClient.invalidateQueries({ queryKey: newestEdition.queryKey })
    const isShown = editionKey === shown.current
    if (!isShown || !isPageScrolled()) addToEdition(editionKey, memo)
    const isOfShownDay = shown.current?.slice(0, 8) === editionKey.slice(0, 8)
    if (isOfShownDay && (!isShown || isPageScrolled())) dispatch({ type: 'arrived', arrival })
    if (isOfShownDay || shown.current === null) setAnnouncement(`New memo: ${memo.title}`)
  })

  const setShown = useCallback((editionKey: string | null) => {
    shown.current = editionKey
  }, [])
  const liveMemos = useMemo<LiveMemos>(
    () => ({
      pending,
      setShown,
      showPending(editionKey) {
        for (const arrival of pending) {
          if (arrival.editionKey === editionKey) addToEdition(editionKey, arrival.memo)
        }
        dispatch({ type: 'shown', editionKey })
      },
    }),
    [pending, addToEdition, setShown],
  )
  return (
    <LiveMemosContext value={liveMemos}>
      {children}
      <p className="visually-hidden" role="status" aria-live="polite">
        {announcement}
      </p>
    </LiveMemosContext>
  )
}

/**
 * Returns the pending memos of the live feed and the actions that show them.
 * @throws {Error} outside of a `LiveMemosProvider`
 */
export function useLiveMemos(): LiveMemos {
  const liveMemos = use(LiveMemosContext)
  if (liveMemos === null) throw new Error('useLiveMemos is called outside of a LiveMemosProvider')
  return liveMemos
}
