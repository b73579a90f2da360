import { useQueryClient } from '@tanstack/react-query'
import { formatEditionKey } from '@tidings/contracts/edition-key'
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
import { isPageScrolled } from '../components/page-scroll.ts'
import { newestEdition } from '../features/editions/newest-edition.ts'
import { addSlotToDay } from '../features/editions/time-list.ts'
import { type HeldArrival, heldArrivalsReducer } from '../features/live-feed/held-arrivals.ts'
import { useArrivals } from '../features/live-feed/live-feed-provider.tsx'
import { addMemo, settleOrder } from '../features/memos/edition-memos.ts'
import { parseMemo } from '../features/memos/memo.ts'
import { useSurroundings } from '../lib/surroundings.tsx'

/** Within which time after a live memo its edition is read again, spread over the readers by chance. */
const settleWithinMs = 3000

type LiveNews = {
  /** Memos that wait because showing them would move what is being read. */
  held: readonly HeldArrival[]
  /** Says which edition is on show, so that its memos are not moved under the reader's eyes. */
  setShown: (editionKey: string | null) => void
  /** Puts the memos that wait for an edition into it. */
  showHeld: (editionKey: string) => void
}

const LiveNewsContext = createContext<LiveNews | null>(null)

/** Puts what the live feed brings into the cache, or holds it back, and announces it politely. */
export function LiveNewsProvider({ children }: { children: ReactNode }) {
  const { config, clock } = useSurroundings()
  const queryClient = useQueryClient()
  const [held, dispatch] = useReducer(heldArrivalsReducer, [])
  const [announcement, setAnnouncement] = useState('')
  const shown = useRef<string | null>(null)
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  const put = useCallback(
    (editionKey: string, wireMemo: unknown) => {
      const memo = parseMemo(wireMemo)
      if (memo === null) return
      addMemo(queryClient, editionKey, memo)
      // The frame does not say where the memo stands; its edition does. A burst is settled once.
      clearTimeout(timers.current.get(editionKey))
      const settle = () => {
        const isBeingRead = editionKey === shown.current && isPageScrolled()
        void settleOrder(queryClient, editionKey, isBeingRead ? 'later' : 'now')
      }
      timers.current.set(editionKey, setTimeout(settle, clock.chance() * settleWithinMs))
    },
    [queryClient, clock],
  )

  useEffect(() => {
    const pending = timers.current
    return () => {
      for (const timer of pending.values()) clearTimeout(timer)
    }
  }, [])

  useArrivals((arrival) => {
    const memo = parseMemo(arrival.memo)
    if (memo === null) return
    const editionKey = formatEditionKey(arrival.date, arrival.slot)
    addSlotToDay(queryClient, { date: arrival.date, slots: config.slots }, arrival.slot)
    void queryClient.invalidateQueries({ queryKey: newestEdition.queryKey })
    const isShown = editionKey === shown.current
    if (!isShown || !isPageScrolled()) put(editionKey, arrival.memo)
    const isOfShownDay = shown.current?.slice(0, 8) === editionKey.slice(0, 8)
    if (isOfShownDay && (!isShown || isPageScrolled())) dispatch({ type: 'held', arrival, memoId: memo.id })
    if (isOfShownDay || shown.current === null) setAnnouncement(`New memo: ${memo.title}`)
  })

  const setShown = useCallback((editionKey: string | null) => {
    shown.current = editionKey
  }, [])
  const news = useMemo<LiveNews>(
    () => ({
      held,
      setShown,
      showHeld(editionKey) {
        for (const waiting of held) {
          if (waiting.editionKey === editionKey) put(editionKey, waiting.memo)
        }
        dispatch({ type: 'shown', editionKey })
      },
    }),
    [held, put, setShown],
  )
  return (
    <LiveNewsContext value={news}>
      {children}
      <p className="unseen" role="status" aria-live="polite">
        {announcement}
      </p>
    </LiveNewsContext>
  )
}

/**
 * What the live feed brought and holds back.
 * @throws {Error} outside of a `LiveNewsProvider`
 */
export function useLiveNews(): LiveNews {
  const news = use(LiveNewsContext)
  if (news === null) throw new Error('A LiveNewsProvider is missing around this part')
  return news
}
