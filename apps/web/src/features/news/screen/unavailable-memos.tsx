import { formatWireDate } from '@tidings/contracts/edition-key'
import { useLayoutEffect } from 'react'
import { Notice } from '#components/notice.tsx'
import { scrollPageToTop } from '#components/scroll/page-scroll.ts'
import { NetworkError } from '#lib/api/api-client.ts'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'
import { EndLine } from '../editions/end-line.tsx'
import { findLastRead, type SavedEdition } from '../memos/last-read.ts'
import { MemoList } from '../memos/memo-list.tsx'

/** Replaces memos that failed to load. Offline, it shows the edition that was last read on this device. */
export function UnavailableMemos({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { clock, deviceStore } = useServices()
  const retry = (
    <button type="button" className="link" onClick={onRetry}>
      Try again
    </button>
  )
  if (!(error instanceof NetworkError)) {
    return <Notice text="We couldn’t load the memos.">{retry}</Notice>
  }
  const lastRead = findLastRead(deviceStore)
  if (lastRead === null) return <Notice text="You’re offline.">{retry}</Notice>
  const name = `${formatDay(lastRead.date, localDate(clock.now()))}, ${lastRead.slot}`
  return (
    <>
      <Notice text={`You’re offline. Here’s what you read last: ${name}.`}>{retry}</Notice>
      <LastRead edition={lastRead} />
    </>
  )
}

/** Shows an edition from its top, because the notice above it says why it is shown. */
function LastRead({ edition: { key, date, slot, memos } }: { edition: SavedEdition }) {
  // Runs after the list has scrolled to where the reader left it.
  useLayoutEffect(scrollPageToTop, [])
  return (
    <MemoList
      key={key}
      memos={memos}
      edition={{ date: formatWireDate(date), slot }}
      canExpandAll={false}
      endLine={<EndLine edition={{ date, slot }} />}
    />
  )
}
