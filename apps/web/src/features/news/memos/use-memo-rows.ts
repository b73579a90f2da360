import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { isPageScrolled } from '#components/scroll/page-scroll.ts'
import type { Memo } from '../memo.ts'
import { memoRowId } from './memo-row.tsx'
import { type Permission, type Row, type Rows, rowsOf, updateRows } from './memo-rows.ts'
import { isRowInView, permissionOf } from './reading-view.ts'

type State = Rows & {
  memos: readonly Memo[]
  /** New memos that are in the list, below what a scrolled reader sees. */
  below: readonly string[]
}

const everything: Permission = { mayReorder: true, mayInsertBefore: () => true }

/**
 * Returns the rows of an edition that changes while it is read, and the id of the first new memo that the reader has not
 * seen. `reveal` puts all memos in the list and leads to one of them.
 */
export function useMemoRows(memos: readonly Memo[]): {
  rows: readonly Row[]
  unseenId: string | null
  reveal: (id: string) => void
} {
  const [state, setState] = useState<State>(() => ({ ...rowsOf(memos), memos, below: [] }))
  const [revealedId, setRevealedId] = useState<string | null>(null)
  const { rows, held, below } = state

  const update = useEffectEvent((permission: Permission) => {
    const next = updateRows(rows, memos, permission)
    const added = next.rows.map(({ id }) => id).filter((id) => !rows.some((row) => row.id === id))
    const unseen = isPageScrolled() ? [...below, ...added] : []
    const isListed = (id: string) => memos.some((memo) => memo.id === id)
    setState({ ...next, memos, below: unseen.filter(isListed) })
  })
  useLayoutEffect(() => {
    if (state.memos !== memos) update(permissionOf(memoRowId))
  }, [memos, state.memos])

  const hasUnseen = held.length + below.length > 0
  const followScroll = useEffectEvent(() => {
    if (held.length > 0 && !isPageScrolled()) update(permissionOf(memoRowId))
    const stillBelow = below.filter((id) => {
      const row = document.getElementById(memoRowId(id))
      return row !== null && !isRowInView(row)
    })
    if (stillBelow.length < below.length) setState((before) => ({ ...before, below: stillBelow }))
  })
  useEffect(() => {
    if (!hasUnseen) return
    const listener = () => followScroll()
    window.addEventListener('scroll', listener, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', listener, { capture: true })
  }, [hasUnseen])

  const isRevealed = revealedId !== null && rows.some(({ id }) => id === revealedId)
  const showEverything = useEffectEvent(() => {
    update(everything)
    setState((before) => ({ ...before, below: [] }))
  })
  useEffect(() => {
    if (revealedId !== null) showEverything()
  }, [revealedId])
  useEffect(() => {
    if (!isRevealed || revealedId === null) return
    const row = document.getElementById(memoRowId(revealedId))
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector('button')?.focus({ preventScroll: true })
    setRevealedId(null)
  }, [isRevealed, revealedId])

  const reveal = useCallback((id: string) => setRevealedId(id), [])
  return { rows, unseenId: held[0]?.id ?? below[0] ?? null, reveal }
}
