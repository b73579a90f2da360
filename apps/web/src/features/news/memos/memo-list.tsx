import { limits } from '@tidings/contracts/limits'
import { type ReactNode, useCallback, useEffect, useReducer, useState } from 'react'
import { prefersReducedMotion } from '#lib/motion.ts'
import { useServices } from '#lib/services.tsx'
import { allClosed, expansionReducer } from './expansion.ts'
import type { Memo } from './memo.ts'
import { MemoRow, memoRowId } from './memo-row.tsx'
import { listReadMemos, markMemosRead } from './read-memos.ts'

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
  const [expansion, dispatch] = useReducer(expansionReducer, allClosed)
  const [readIds, setReadIds] = useState(() => listReadMemos(deviceStore))
  // Only the first memos enter one after the other; a memo that is added later enters at once.
  const [entrancePositions] = useState(() => new Map(memos.map(({ id }, index) => [id, index])))
  const toggle = useCallback((id: string) => dispatch({ type: 'toggled', id }), [])

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
      <ul className="memos">
        {memos.map((memo) => (
          <MemoRow
            key={memo.id}
            memo={memo}
            edition={edition}
            isOpen={expansion.openIds.has(memo.id)}
            isRead={readIds.includes(memo.id)}
            position={entrancePositions.get(memo.id) ?? 0}
            onToggle={toggle}
          />
        ))}
      </ul>
      {endLine}
    </>
  )
}

function scrollSoon(memoId: string | null): (() => void) | undefined {
  if (memoId === null) return undefined
  const timer = setTimeout(() => {
    const row = document.getElementById(memoRowId(memoId))
    row?.scrollIntoView({ block: 'nearest', behavior: prefersReducedMotion() ? 'instant' : 'smooth' })
  }, limits.scrollDelayMs)
  return () => clearTimeout(timer)
}
