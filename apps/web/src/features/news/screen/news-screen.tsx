import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import {
  type CalendarDate,
  formatEditionKey,
  formatWireDate,
  parseEditionKey,
} from '@tidings/contracts/edition-key'
import { type ReactNode, useState } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { contentId, Screen } from '#components/screen.tsx'
import { scrollPageToTop } from '#components/scroll/page-scroll.ts'
import { ApiError } from '#lib/api/api-client.ts'
import { formatDay } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { slotsOfDay, useHomeEdition } from '../editions/edition-queries.ts'
import { EndLine } from '../editions/end-line.tsx'
import { Masthead } from '../editions/masthead.tsx'
import type { Edition } from '../editions/sentences.ts'
import { memosOfEdition } from '../memos/edition-memos.ts'
import { MemoList } from '../memos/memo-list.tsx'
import { FootLinks } from './foot-links.tsx'
import { EditionNotice, EmptySite, MissingEdition } from './missing-edition.tsx'
import { NewMemoPrompt } from './new-memo-prompt.tsx'
import { UnavailableMemos } from './unavailable-memos.tsx'
import { useNewerEdition } from './use-newer-edition.ts'
import { useToday } from './use-today.ts'

/** The content of the section below the masthead. */
type Stage = 'invalid-key' | 'empty-site' | 'missing' | 'failed' | 'loading' | 'memos'

/** The date, its slots and the memos of the chosen edition, or of the newest. */
export function NewsScreen({ belowMemos }: { belowMemos?: (editionKey: string) => ReactNode }) {
  const { timestamp } = useParams({ strict: false })
  const { today, currentDate, updateToday } = useToday()
  const [pinned, setPinned] = useState<Edition | null>(null)
  const { config, deviceStore } = useServices()
  const queryClient = useQueryClient()

  const chosen = timestamp === undefined ? null : parseEditionKey(timestamp)
  const home = useHomeEdition(today, { enabled: timestamp === undefined })
  // A newer edition does not replace the one that is being read.
  const shown = timestamp === undefined ? (pinned ?? home.edition) : chosen
  if (timestamp === undefined && pinned === null && !home.query.isFetching && home.edition !== null) {
    setPinned(home.edition)
  }
  const date = shown?.date ?? today
  const day = useQuery(slotsOfDay(date, config.slots))
  const isInvalidKey = timestamp !== undefined && chosen === null
  const editionKey = shown === null ? null : formatEditionKey(shown.date, shown.slot)
  const memos = useQuery({ ...memosOfEdition(editionKey ?? '', deviceStore), enabled: editionKey !== null })
  const newer = useNewerEdition({ shown, isChosen: chosen !== null, today, currentDate })

  // The choice of the edition loads first, then its memos.
  const query = editionKey === null ? home.query : memos
  const stage = findStage()

  function showToday() {
    setPinned(null)
    updateToday()
    scrollPageToTop()
    void queryClient.invalidateQueries({ queryKey: ['editions'] })
  }

  return (
    <Screen title={titleOf(date, today, chosen?.slot)} className="news">
      <NewMemoPrompt editionKey={editionKey} newer={newer} />
      <Masthead
        date={date}
        published={day.data ?? slotsWithMemos()}
        shownSlot={shown?.slot ?? null}
        isChosen={chosen !== null}
        onToday={showToday}
      />
      <section
        id={contentId}
        tabIndex={-1}
        aria-label={shown === null ? 'Memos' : `Memos of the ${shown.slot} edition`}
      >
        {renderStage()}
      </section>
      {stage === 'memos' && editionKey !== null ? belowMemos?.(editionKey) : null}
      {stage === 'loading' ? null : <FootLinks />}
    </Screen>
  )

  /** The slot whose memos are on the screen is a link before the slots of its day have loaded. */
  function slotsWithMemos(): readonly string[] | null {
    return memos.data === undefined || shown === null ? null : [shown.slot]
  }

  function findStage(): Stage {
    if (isInvalidKey) return 'invalid-key'
    if (memos.data !== undefined) return 'memos'
    if (editionKey === null && home.isEmptySite) return 'empty-site'
    if (isMissing(memos.error)) return 'missing'
    return query.error !== null && !query.isFetching ? 'failed' : 'loading'
  }

  function renderStage(): ReactNode {
    switch (stage) {
      case 'invalid-key':
        return <EditionNotice text="This edition doesn’t exist." />
      case 'empty-site':
        return <EmptySite />
      case 'missing':
        return <MissingEdition edition={{ date, slot: shown?.slot ?? '' }} />
      case 'failed':
        return <UnavailableMemos error={query.error} onRetry={() => void query.refetch()} />
      case 'loading':
        return <LoadingSkeleton />
      case 'memos':
        return (
          <MemoList
            key={editionKey}
            memos={memos.data ?? []}
            edition={{ date: formatWireDate(date), slot: shown?.slot ?? '' }}
            canExpandAll={chosen !== null}
            endLine={shown === null ? null : <EndLine edition={shown} />}
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
