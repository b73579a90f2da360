import { limits } from '@tidings/contracts/limits'
import { memoRowId } from '@tidings/ui/memo-row'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import { pageView } from '#components/scroll/page-scroll.ts'
import { prefersReducedMotion } from '#lib/browser/motion.ts'
import { useServices } from '#lib/services/services.tsx'
import { useOfferedMemo } from '../live-feed/offered-memo.tsx'
import type { Memo } from '../memo.ts'
import { expansionReducer, startExpansion } from './expansion.ts'
import { KeepPlace } from './keep-place.tsx'
import { MemoRow } from './memo-row.tsx'
import { useMemoRows } from './memo-rows.ts'
import { listReadMemos, markMemosRead } from './read-memos.ts'
import { markEntered } from './reading-view.ts'
import { useReadingPlace } from './use-reading-place.ts'

type MemoListProps = {
  memos: readonly Memo[]
  edition: { date: string; slot: string }
  /** Whether 'Expand all' and 'Simplify' are offered: only with a slot chosen. */
  canExpandAll: boolean
  /** The line below the last memo. */
  endLine: ReactNode
}

/** The memos of an edition, each opened by a tap, and the line below the last one. */
export function MemoList({ memos, edition, canExpandAll, endLine }: MemoListProps) {
  const { deviceStore } = useServices()
  const { rows, unseenId, reveal } = useMemoRows(memos)
  useOfferedMemo(unseenId, memos, reveal)
  const list = useRef<HTMLUListElement>(null)
  const place = useReadingPlace(`${edition.date}-${edition.slot}`, list)
  const saveOpenIds = useEffectEvent(place.saveOpenIds)
  const [expansion, dispatch] = useReducer(expansionReducer, place.openIds, startExpansion)
  const [readIds, setReadIds] = useState(() => listReadMemos(deviceStore))
  // Only the first memos enter one after the other; a memo that is added later enters at once.
  const [entrancePositions] = useState(() => new Map(memos.map(({ id }, index) => [id, index])))
  const toggle = useCallback((id: string) => dispatch({ type: 'toggled', id }), [])

  useEffect(() => saveOpenIds(expansion.openIds), [expansion.openIds])
  useEffect(() => {
    if (expansion.openIds.size > 0) setReadIds(markMemosRead(deviceStore, [...expansion.openIds]))
  }, [expansion.openIds, deviceStore])
  useEffect(() => scrollSoon(expansion.lastOpenedId), [expansion.lastOpenedId])

  return (
    <>
      {canExpandAll ? (
        <div className="list-actions">
          <button
            type="button"
            onClick={() => dispatch({ type: 'expandedAll', ids: memos.map(({ id }) => id) })}
          >
            Expand all
          </button>
          <button type="button" onClick={() => dispatch({ type: 'simplified' })}>
            Simplify
          </button>
        </div>
      ) : null}
      <KeepPlace of={rows} />
      <ul
        className="memos"
        ref={list}
        data-restored={place.isRestored}
        onAnimationEnd={({ target }) => markEntered(target)}
      >
        {rows.map(({ id, memo }) =>
          memo === null ? (
            <WithdrawnRow key={id} id={id} />
          ) : (
            <MemoRow
              key={id}
              memo={memo}
              edition={edition}
              isOpen={expansion.openIds.has(id)}
              isRead={readIds.includes(id)}
              position={entrancePositions.get(id) ?? 0}
              onToggle={toggle}
            />
          ),
        )}
      </ul>
      {endLine}
    </>
  )
}

/** The one line that is left of a memo that was withdrawn while it was on the page. */
function WithdrawnRow({ id }: { id: string }) {
  return (
    <li className="memo" data-withdrawn="true" data-entered="true" id={memoRowId(id)} tabIndex={-1}>
      <p>This memo was withdrawn.</p>
    </li>
  )
}

/** Shows the whole memo if it is the last one. Another one's title moves only if a part of it is out of sight. */
function scrollSoon(memoId: string | null): (() => void) | undefined {
  const row = memoId === null ? null : document.getElementById(memoRowId(memoId))
  const shown = row?.nextElementSibling === null ? row : row?.querySelector('h2')
  // Decided now: who reads on at once is not called back.
  if (!shown || (shown !== row && isInView(shown))) return undefined
  const timer = setTimeout(() => {
    shown.scrollIntoView({ block: 'nearest', behavior: prefersReducedMotion() ? 'instant' : 'smooth' })
  }, limits.scrollDelayMs)
  return () => clearTimeout(timer)
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  const view = pageView()
  return top >= view.top && bottom <= view.top + view.height
}
