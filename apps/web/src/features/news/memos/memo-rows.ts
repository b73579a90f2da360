import type { Memo } from '../memo.ts'

/** A row of the list: a memo, or what is left of a withdrawn one. */
export type Row = { id: string; memo: Memo | null }

/** The list as the reader sees it, which can differ from the edition while they read. */
export type Rows = {
  rows: readonly Row[]
  /** New memos that are not in the list yet, because they would move what the reader is reading. */
  held: readonly Memo[]
}

/** The changes that an update may make to the list. */
export type Permission = {
  /** Whether the memos on the screen may change their order. */
  mayReorder: boolean
  /** Whether a new memo may be put in front of a row, or at the end (null). */
  mayInsertBefore: (rowId: string | null) => boolean
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
