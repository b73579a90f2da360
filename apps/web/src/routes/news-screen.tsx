import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  type CalendarDate,
  formatEditionKey,
  formatWireDate,
  parseEditionKey,
} from '@tidings/contracts/edition-key'
import { type ReactNode, useState } from 'react'
import { LoadingShape } from '../components/loading-shape.tsx'
import { scrollPageToTop } from '../components/page-scroll.ts'
import { Screen } from '../components/screen.tsx'
import { Masthead } from '../features/editions/masthead.tsx'
import { endSentence } from '../features/editions/sentences.ts'
import { slotsOfDay } from '../features/editions/time-list.ts'
import { memosOfEdition } from '../features/memos/edition-memos.ts'
import { MemoList } from '../features/memos/memo-list.tsx'
import { RefusedError } from '../lib/api-client.ts'
import { formatDay } from '../lib/calendar.ts'
import { useSurroundings } from '../lib/surroundings.tsx'
import { HeldMemos } from './held-memos.tsx'
import { EmptyDay, MissingEdition, MissingWord } from './missing-news.tsx'
import { UnreadNews } from './unread-news.tsx'
import { useToday } from './use-today.ts'

/** What the reader sees beneath the masthead. */
type Stage = 'unreadable' | 'empty' | 'missing' | 'failed' | 'loading' | 'read'

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

  // The day's slots are awaited first; then the memos of one of them.
  const awaited = editionKey === null ? day : memos
  const stage = findStage()

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
      <section aria-label={shownSlot === null ? 'Memos' : `Memos of the ${shownSlot} edition`}>
        {body()}
      </section>
      {stage === 'loading' ? null : (
        <footer className="foot-links">
          <Link to="/account/signup">Sign up</Link>
          <Link to="/account/login">Log in</Link>
          <Link to="/footer">© 2025</Link>
        </footer>
      )}
    </Screen>
  )

  function findStage(): Stage {
    if (isUnreadable) return 'unreadable'
    if (memos.data !== undefined) return 'read'
    if (editionKey === null && day.data !== undefined) return 'empty'
    if (isMissing(memos.error)) return 'missing'
    return awaited.error !== null && !awaited.isFetching ? 'failed' : 'loading'
  }

  function body(): ReactNode {
    switch (stage) {
      case 'unreadable':
        return <MissingWord sentence="There is no such edition." />
      case 'empty':
        return <EmptyDay date={date} />
      case 'missing':
        return <MissingEdition edition={{ date, slot: shownSlot ?? '' }} />
      case 'failed':
        return <UnreadNews error={awaited.error} onTryAgain={() => void awaited.refetch()} />
      case 'loading':
        return <LoadingShape />
      case 'read':
        return (
          <MemoList
            key={editionKey}
            memos={memos.data ?? []}
            edition={{ date: formatWireDate(date), slot: shownSlot ?? '' }}
            canExpandAll={chosen !== null}
            endSentence={endSentence(shownSlot ?? '', config.slots)}
          />
        )
    }
  }
}

function isMissing(error: Error | null): boolean {
  return error instanceof RefusedError && (error.status === 404 || error.status === 400)
}

function titleOf(date: CalendarDate, today: CalendarDate, slot: string | undefined): string {
  return slot === undefined ? formatDay(date, today) : `${formatDay(date, today)}, ${slot}`
}
