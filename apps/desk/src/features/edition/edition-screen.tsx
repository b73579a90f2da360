import './styles/memo.css'
import './styles/edition.css'
import './styles/edition-foot.css'
import './styles/edition-list.css'
import './styles/edition-phone.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { SavedState } from '#features/writing/saved-state.tsx'
import { NetworkError } from '#lib/api/call.ts'
import { useIsOnline } from '#lib/browser/use-is-online.ts'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { useYou } from '#lib/desk-context.ts'
import { EditionBar } from './edition-bar.tsx'
import { MemoSide } from './list/memo-side.tsx'
import { MemoPanel } from './memo/memo-panel.tsx'
import { MemoTabs } from './memo/memo-tabs.tsx'
import { NothingYet } from './nothing-yet.tsx'
import { PreviewColumn } from './preview-column.tsx'
import { StartEdition } from './start-edition.tsx'
import { editionQuery, orderOf } from './state/edition-calls.ts'
import { rightsIn } from './state/edition-words.ts'
import { memoRows } from './state/memo-rows.ts'
import { shownMemoId } from './state/shown-memo-id.ts'
import { useDraft } from './state/use-draft.ts'
import { type EditionView, useEditionView } from './state/use-edition-view.ts'
import { usePreviewedEdition } from './state/use-previewed-edition.ts'
import { useReadAhead } from './state/use-read-ahead.ts'
import { useUndo } from './state/use-undo.ts'

type Props = {
  editionKey: string
  edition: { date: CalendarDate; slot: string }
  /** The open memo; null for the list alone. */
  memoId: string | null
}

/** An edition: its memos, and the one that is being written. */
export function EditionScreen({ editionKey, edition: { date, slot }, memoId }: Props) {
  const { data: edition, error, refetch } = useQuery(editionQuery(editionKey))
  const isOnline = useIsOnline()
  const view = useEditionView()
  return (
    <div className={memoId === null ? 'edition' : 'edition edition-writing'}>
      <EditionBar day={date} slot={slot} edition={edition} view={view} />
      {memoId !== null && (edition === undefined || edition === null) && (
        <h1 className="visually-hidden">{`${slot}, memo`}</h1>
      )}
      {edition === undefined && error === null && (
        <p role="status" className="loading">
          Loading the edition…
        </p>
      )}
      {error !== null && (isOnline || edition === undefined) && (
        <div className="strip">
          <Failure text={failureText(error, edition !== undefined)} />
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
      {edition === null && <StartEdition editionKey={editionKey} />}
      {edition !== null && edition !== undefined && (
        <Writing edition={edition} day={date} slot={slot} memoId={memoId} view={view} />
      )}
    </div>
  )
}

type WritingProps = {
  edition: DeskEdition
  day: CalendarDate
  slot: string
  memoId: string | null
  view: EditionView
}

function Writing({ edition, day, slot, memoId, view }: WritingProps) {
  const rights = rightsIn(edition.status, useYou().roles)
  const { open, error } = useDraft(memoId)
  const isPhone = useIsPhone()
  const undo = useUndo(edition.key)
  const [note, setNote] = useState('')
  const ids = orderOf(edition)
  const openId = shownMemoId(memoId, ids)
  const previewed = usePreviewedEdition(edition, { day, slot, open, openId, note })
  const rows = memoRows(edition, ids, open === null ? null : { id: open.id, text: open.state.text })
  const row = rows.find(({ id }) => id === memoId)
  useReadAhead(ids, memoId !== null && open === null)
  return (
    <div className="edition-columns" data-view={view.tab}>
      <MemoSide edition={edition} rows={rows} open={open} openId={memoId} rights={rights} undo={undo} />
      <section className="edition-middle" aria-label="Memo">
        {memoId !== null && (
          <div className="edition-back">
            <h1 className="visually-hidden">{`${slot}, memo`}</h1>
            <Link to="/editions/$key" params={{ key: edition.key }} aria-label={`All memos of ${slot}`}>
              ‹ {slot}
            </Link>
            <span className="meta">{`memo ${ids.indexOf(memoId) + 1} of ${ids.length}`}</span>
            {isPhone && open !== null && (
              <div className="meta edition-saved">
                <SavedState
                  draft={open.draft}
                  isPublic={row?.state === 'Changed' || row?.state === 'Private'}
                />
              </div>
            )}
          </div>
        )}
        {memoId !== null && (
          <MemoTabs view={view}>
            {isPhone && (
              <Link to="/editions/$key/memos/$id/versions" params={{ key: edition.key, id: memoId }}>
                Versions
              </Link>
            )}
          </MemoTabs>
        )}
        {error !== null && <Failure text={error.message} />}
        {memoId === null && (
          <div className="edition-hint">
            {rows.length === 0 ? <NothingYet editionKey={edition.key} /> : <p>No memo is open.</p>}
            {rows.length === 0 && rights.canWrite && (
              <p className="edition-by-key">Press N, or paste a text: it becomes the first memo.</p>
            )}
          </div>
        )}
        {memoId !== null && open === null && error === null && (
          <p role="status" className="loading">
            Loading the memo…
          </p>
        )}
        {open !== null && row !== undefined && (
          <MemoPanel
            key={open.id}
            open={open}
            row={row}
            edition={edition}
            previewed={previewed}
            rights={rights}
            undo={undo}
            onNote={setNote}
          />
        )}
        {open !== null && row === undefined && (
          <p className="edition-hint">This memo is no longer in this edition.</p>
        )}
      </section>
      {view.isPreviewing && <PreviewColumn edition={previewed} view={view} />}
    </div>
  )
}

function failureText(error: Error, hasEdition: boolean): string {
  if (hasEdition && error instanceof NetworkError)
    return 'You are offline. Keep writing; this device keeps it.'
  return error.message
}
