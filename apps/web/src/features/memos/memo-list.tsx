import { limits } from '@tidings/contracts/limits'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { prefersStillness } from '../../lib/motion.ts'
import { useSurroundings } from '../../lib/surroundings.tsx'
import { allClosed, expansionReducer } from './expansion.ts'
import type { Memo } from './memo.ts'
import { MemoRow, memoRowId } from './memo-row.tsx'
import { keepReadTitles, readTitles } from './read-titles.ts'

type MemoListProps = {
  memos: readonly Memo[]
  edition: { date: string; slot: string }
  /** Whether 'Expand all' and 'Simplify' are offered: only with a slot chosen. */
  canExpandAll: boolean
  /** The line beneath the last memo. */
  endSentence: string
}

/** The memos of an edition, each opened by a tap, and the line that ends them. */
export function MemoList({ memos, edition, canExpandAll, endSentence }: MemoListProps) {
  const { deviceStore } = useSurroundings()
  const [expansion, dispatch] = useReducer(expansionReducer, allClosed)
  const [readIds, setReadIds] = useState(() => readTitles(deviceStore))
  // Only the memos of the first showing enter one after the other; a later one comes alone.
  const [entrance] = useState(() => new Map(memos.map(({ id }, index) => [id, index])))
  const toggle = useCallback((id: string) => dispatch({ type: 'toggled', id }), [])

  useEffect(() => {
    if (expansion.openIds.size > 0) setReadIds(keepReadTitles(deviceStore, [...expansion.openIds]))
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
      <ul className="memos">
        {memos.map((memo) => (
          <MemoRow
            key={memo.id}
            memo={memo}
            edition={edition}
            isOpen={expansion.openIds.has(memo.id)}
            isRead={readIds.includes(memo.id)}
            place={entrance.get(memo.id) ?? 0}
            onToggle={toggle}
          />
        ))}
      </ul>
      <p className="end-line">{endSentence}</p>
    </>
  )
}

function scrollSoon(memoId: string | null): (() => void) | undefined {
  if (memoId === null) return undefined
  const timer = setTimeout(() => {
    const row = document.getElementById(memoRowId(memoId))
    row?.scrollIntoView({ block: 'nearest', behavior: prefersStillness() ? 'instant' : 'smooth' })
  }, limits.scrollDelayMs)
  return () => clearTimeout(timer)
}
