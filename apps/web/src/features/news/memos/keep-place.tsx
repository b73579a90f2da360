import { Component, type ReactNode } from 'react'
import { pageView, scrollPageBy } from '#components/scroll/page-scroll.ts'
import { findRowBeingRead, markEntered } from './reading-view.ts'

type Place = {
  /** The row that is being read, and its top on the screen; null when nothing needs to stay. */
  anchor: { rowId: string; top: number } | null
  focusedRowId: string | null
}

/**
 * Keeps what the reader is reading where it is on the screen whenever `of` changes. Not every browser anchors the scroll
 * position. A class, because only `getSnapshotBeforeUpdate` runs right before the page changes.
 */
export class KeepPlace extends Component<{ of: unknown }> {
  override getSnapshotBeforeUpdate(before: { of: unknown }): Place | null {
    if (before.of === this.props.of) return null
    for (const row of document.querySelectorAll('.memos > .memo')) markEntered(row)
    const row = findRowBeingRead()
    return {
      anchor: row === null ? null : { rowId: row.id, top: row.getBoundingClientRect().top },
      focusedRowId: document.activeElement?.closest('.memo')?.id ?? null,
    }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, place: Place | null): void {
    // A withdrawn memo's row is a new element, so the rows are found by their ids.
    const focusedRow = findRow(place?.focusedRowId)
    if (focusedRow?.contains(document.activeElement) === false) focusedRow.focus({ preventScroll: true })
    const row = findRow(place?.anchor?.rowId)
    if (!place?.anchor || row === null) return
    const movedPx = row.getBoundingClientRect().top - place.anchor.top
    if (movedPx !== 0) scrollPageBy(movedPx)
    // A memo that was withdrawn while it was read is now a line above the view.
    if (row.getBoundingClientRect().bottom < pageView().top) row.scrollIntoView({ block: 'nearest' })
  }

  override render(): ReactNode {
    return null
  }
}

function findRow(id: string | null | undefined): HTMLElement | null {
  return document.getElementById(id ?? '')
}
