import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  type CalendarDate,
  formatEditionKey,
  formatWireDate,
  parseEditionKey,
} from '@tidings/contracts/edition-key'
import { type ReactNode, useState } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { scrollPageToTop } from '#components/page-scroll.ts'
import { Screen } from '#components/screen.tsx'
import { ApiError } from '#lib/api-client.ts'
import { formatDay } from '#lib/calendar.ts'
import { useServices } from '#lib/services.tsx'
import { Masthead } from '../editions/masthead.tsx'
import { endSentence } from '../editions/sentences.ts'
import { slotsOfDay } from '../editions/time-list.ts'
import { memosOfEdition } from '../memos/edition-memos.ts'
import { MemoList } from '../memos/memo-list.tsx'
import { EditionNotice, EmptyDay, MissingEdition } from './missing-edition.tsx'
import { NewMemoPrompt } from './new-memo-prompt.tsx'
import { UnavailableMemos } from './unavailable-memos.tsx'
import { useToday } from './use-today.ts'

/** What the section below the masthead shows. */
type Stage = 'invalid-key' | 'empty-day' | 'missing' | 'failed' | 'loading' | 'memos'

/** The date, its slots and the memos of the chosen edition, or of today's newest. */
export function NewsScreen() {
  const { timestamp } = useParams({ strict: false })
  const { today, updateToday } = useToday()
  const [pinned, setPinned] = useState<{ day: string; slot: string } | null>(null)
  const { config, deviceStore } = useServices()
  const queryClient = useQueryClient()

  const chosen = timestamp === undefined ? null : parseEditionKey(timestamp)
  const date = chosen?.date ?? today
  const day = useQuery(slotsOfDay(date, config.slots))
  const newest = day.data?.at(-1) ?? null
  // A newer edition does not replace the one that is being read.
  const pinnedSlot = pinned?.day === formatWireDate(date) ? pinned.slot : null
  const shownSlot = chosen?.slot ?? pinnedSlot ?? newest
  if (timestamp === undefined && pinnedSlot === null && newest !== null) {
    setPinned({ day: formatWireDate(date), slot: newest })
  }
  const isInvalidKey = timestamp !== undefined && chosen === null
  const editionKey = isInvalidKey || shownSlot === null ? null : formatEditionKey(date, shownSlot)
  const memos = useQuery({ ...memosOfEdition(editionKey ?? '', deviceStore), enabled: editionKey !== null })

  // The day's slots load first, then the memos of one of them.
  const query = editionKey === null ? day : memos
  const stage = findStage()

  function showToday() {
    setPinned(null)
    updateToday()
    scrollPageToTop()
    void queryClient.invalidateQueries({ queryKey: slotsOfDay(today, config.slots).queryKey })
  }

  return (
    <Screen title={titleOf(date, today, chosen?.slot)} className="news">
      <NewMemoPrompt editionKey={editionKey} shownIds={memos.data?.map(({ id }) => id) ?? []} />
      <Masthead
        date={date}
        published={day.data ?? null}
        shownSlot={isInvalidKey ? null : shownSlot}
        isChosen={chosen !== null}
        onToday={showToday}
      />
      <section aria-label={shownSlot === null ? 'Memos' : `Memos of the ${shownSlot} edition`}>
        {renderStage()}
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
    if (isInvalidKey) return 'invalid-key'
    if (memos.data !== undefined) return 'memos'
    if (editionKey === null && day.data !== undefined) return 'empty-day'
    if (isMissing(memos.error)) return 'missing'
    return query.error !== null && !query.isFetching ? 'failed' : 'loading'
  }

  function renderStage(): ReactNode {
    switch (stage) {
      case 'invalid-key':
        return <EditionNotice text="This edition doesn't exist." />
      case 'empty-day':
        return <EmptyDay date={date} />
      case 'missing':
        return <MissingEdition edition={{ date, slot: shownSlot ?? '' }} />
      case 'failed':
        return <UnavailableMemos error={query.error} onRetry={() => void query.refetch()} />
      case 'loading':
        return <LoadingSkeleton />
      case 'memos':
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
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

function titleOf(date: CalendarDate, today: CalendarDate, slot: string | undefined): string {
  return slot === undefined ? formatDay(date, today) : `${formatDay(date, today)}, ${slot}`
}
