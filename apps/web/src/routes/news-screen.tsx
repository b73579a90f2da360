import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type CalendarDate, formatEditionKey, formatWireDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { useEffect, useEffectEvent, useState } from 'react'
import { LoadingShape } from '../components/loading-shape.tsx'
import { isPageScrolled, scrollPageToTop } from '../components/page-scroll.ts'
import { PlainWord } from '../components/plain-word.tsx'
import { Screen } from '../components/screen.tsx'
import { Masthead } from '../features/editions/masthead.tsx'
import { NewestEditionLink } from '../features/editions/newest-edition-link.tsx'
import { emptyDaySentence, endSentence, missingEditionSentence } from '../features/editions/sentences.ts'
import { slotsOfDay } from '../features/editions/time-list.ts'
import { NewMemoLine } from '../features/live-feed/new-memo-line.tsx'
import { memosOfEdition } from '../features/memos/edition-memos.ts'
import { MemoList } from '../features/memos/memo-list.tsx'
import { memoRowId } from '../features/memos/memo-row.tsx'
import { RefusedError } from '../lib/api-client.ts'
import { formatDay } from '../lib/calendar.ts'
import { useSurroundings } from '../lib/surroundings.tsx'
import { useLiveNews } from './live-news.tsx'
import { UnreadNews } from './unread-news.tsx'
import { useToday } from './use-today.ts'

/** The memos of a chosen edition, or of the newest one of today, beneath the date and its slots. */
export function NewsScreen() {
  const { timestamp } = useParams({ strict: false })
  const { today, lookAgain } = useToday()
  const [pinned, setPinned] = useState<{ day: string; slot: string } | null>(null)
  const { config, deviceStore } = useSurroundings()
  const queryClient = useQueryClient()

  const chosen = timestamp === undefined ? null : parseEditionKey(timestamp)
  const date = chosen?.date ?? today
  const day = useQuery(slotsOfDay(date, config.slots))
  const newest = day.data?.at(-1) ?? null
  // A newer edition that comes while this one is read does not take its place.
  const pinnedSlot = pinned?.day === formatWireDate(date) ? pinned.slot : null
  const shownSlot = chosen?.slot ?? pinnedSlot ?? newest
  if (timestamp === undefined && pinnedSlot === null && newest !== null) {
    setPinned({ day: formatWireDate(date), slot: newest })
  }
  const isUnreadable = timestamp !== undefined && chosen === null
  const editionKey = isUnreadable || shownSlot === null ? null : formatEditionKey(date, shownSlot)
  const memos = useQuery({ ...memosOfEdition(editionKey ?? '', deviceStore), enabled: editionKey !== null })

  function showToday() {
    setPinned(null)
    lookAgain()
    scrollPageToTop()
    void queryClient.invalidateQueries({ queryKey: slotsOfDay(today, config.slots).queryKey })
  }

  return (
    <Screen title={titleOf(date, today, chosen?.slot)} className="news">
      <HeldMemos editionKey={editionKey} shownIds={memos.data?.map(({ id }) => id) ?? []} />
      <Masthead
        date={date}
        published={day.data ?? null}
        shownSlot={isUnreadable ? null : shownSlot}
        isChosen={chosen !== null}
        onToday={showToday}
      />
      <section aria-label={shownSlot === null ? 'Memos' : `Memos of the ${shownSlot} edition`}>{body()}</section>
      <footer className="foot-links">
        <Link to="/account/signup">Sign up</Link>
        <Link to="/account/login">Log in</Link>
        <Link to="/footer">© 2025</Link>
      </footer>
    </Screen>
  )

  function body() {
    if (isUnreadable) return <MissingWord sentence="There is no such edition." />
    if (editionKey !== null && shownSlot !== null && memos.data !== undefined) {
      return (
        <MemoList
          key={editionKey}
          memos={memos.data}
          edition={{ date: formatWireDate(date), slot: shownSlot }}
          canExpandAll={chosen !== null}
          endSentence={endSentence(shownSlot, config.slots)}
        />
      )
    }
    if (chosen !== null && isMissing(memos.error)) return <MissingEdition edition={chosen} />
    if (editionKey === null && day.data !== undefined) return <EmptyDay date={date} />
    const failure = editionKey === null ? day : memos
    if (failure.error !== null && !failure.isFetching) {
      return <UnreadNews error={failure.error} onTryAgain={() => void failure.refetch()} />
    }
    return <LoadingShape />
  }
}

/** Memos that wait for the reader: a quiet line, which shows them or leads to their edition. */
function HeldMemos({
  editionKey,
  shownIds,
}: {
  editionKey: string | null
  shownIds: readonly string[]
}) {
  const { held, setShown, showHeld } = useLiveNews()
  const navigate = useNavigate()
  const [revealedId, setRevealedId] = useState<string | null>(null)
  const waiting = held.filter(({ memoId }) => !shownIds.includes(memoId))
  const here = waiting.filter((arrival) => arrival.editionKey === editionKey)
  const elsewhere = waiting.find(
    (arrival) => arrival.editionKey !== editionKey && arrival.editionKey.slice(0, 8) === editionKey?.slice(0, 8),
  )
  const flush = useEffectEvent(() => {
    if (editionKey !== null) showHeld(editionKey)
  })

  useEffect(() => {
    setShown(editionKey)
    flush()
    return () => setShown(null)
  }, [editionKey, setShown])

  const isHolding = here.length > 0
  useEffect(() => {
    if (!isHolding) return
    // Back at the top nothing is being read that could move.
    function followScroll() {
      if (!isPageScrolled()) flush()
    }
    window.addEventListener('scroll', followScroll, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', followScroll, { capture: true })
  }, [isHolding])

  const isRevealed = revealedId !== null && shownIds.includes(revealedId)
  useEffect(() => {
    if (!isRevealed || revealedId === null) return
    const row = document.getElementById(memoRowId(revealedId))
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector('button')?.focus({ preventScroll: true })
    setRevealedId(null)
  }, [isRevealed, revealedId])

  const firstHere = here[0]
  if (firstHere !== undefined && editionKey !== null) {
    return (
      <NewMemoLine
        onShow={() => {
          setRevealedId(firstHere.memoId)
          showHeld(editionKey)
        }}
      />
    )
  }
  if (elsewhere === undefined) return null
  return (
    <NewMemoLine
      onShow={() => {
        void navigate({ to: '/edition/$timestamp', params: { timestamp: elsewhere.editionKey } })
      }}
    />
  )
}

function MissingEdition({ edition }: { edition: { date: CalendarDate; slot: string } }) {
  const { config, clock } = useSurroundings()
  const moment = { slots: config.slots, now: clock.now(), timeZone: config.timeZone }
  return <MissingWord sentence={missingEditionSentence(edition, moment)} />
}

function EmptyDay({ date }: { date: CalendarDate }) {
  const { config, clock } = useSurroundings()
  const moment = { slots: config.slots, now: clock.now(), timeZone: config.timeZone }
  return <MissingWord sentence={emptyDaySentence(date, moment)} />
}

function MissingWord({ sentence }: { sentence: string }) {
  return (
    <PlainWord sentence={sentence}>
      <NewestEditionLink />
    </PlainWord>
  )
}

function isMissing(error: Error | null): boolean {
  return error instanceof RefusedError && (error.status === 404 || error.status === 400)
}

function titleOf(date: CalendarDate, today: CalendarDate, slot: string | undefined): string {
  return slot === undefined ? formatDay(date, today) : `${formatDay(date, today)}, ${slot}`
}
