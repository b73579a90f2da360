import { memoRowId } from '@tidings/ui/memo-row'
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { isPageScrolled } from '#components/scroll/page-scroll.ts'
import type { Memo } from '../memo.ts'
import { isRowInView, type Permission, permissionOf } from './reading-view.ts'

/** A row of the list: a memo, or what is left of a withdrawn one. */
export type Row = { id: string; memo: Memo | null }

/** The list as the reader sees it, which can differ from the edition while they read. */
export type Rows = {
  rows: readonly Row[]
  /** New memos that are not in the list yet, because they would move what the reader is reading. */
  held: readonly Memo[]
}

export function rowsOf(memos: readonly Memo[]): Rows {
  return { rows: memos.map((memo) => ({ id: memo.id, memo })), held: [] }
}

/**
 * Returns the list after a change of the edition. Corrections replace the text in place, a withdrawn memo leaves a row
 * behind, and a new memo is put at its position or held.
 */
export function updateRows(
  before: readonly Row[],
  memos: readonly Memo[],
  { mayReorder, mayInsertBefore }: Permission,
): Rows {
  const current = new Map(memos.map((memo) => [memo.id, memo]))
  const rows: Row[] = before.map(({ id }) => ({ id, memo: current.get(id) ?? null }))
  if (mayReorder) sortLike(rows, [...current.keys()])
  const held: Memo[] = []
  for (const [index, memo] of memos.entries()) {
    if (rows.some(({ id }) => id === memo.id)) continue
    const place = placeAfter(rows, memos.slice(0, index))
    if (mayInsertBefore(rows[place]?.id ?? null)) rows.splice(place, 0, { id: memo.id, memo })
    else held.push(memo)
  }
  return { rows, held }
}

/** Sorts the rows of memos; withdrawn ones keep their index. */
function sortLike(rows: Row[], ids: readonly string[]): void {
  const sorted = rows
    .filter(({ memo }) => memo !== null)
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  for (const [index, row] of rows.entries()) {
    if (row.memo !== null) rows[index] = sorted.shift() ?? row
  }
}

/** Returns the index after the last of these memos that has a row. */
function placeAfter(rows: readonly Row[], earlier: readonly Memo[]): number {
  for (const { id } of earlier.toReversed()) {
    const index = rows.findIndex((row) => row.id === id)
    if (index !== -1) return index + 1
  }
  return 0
}

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
