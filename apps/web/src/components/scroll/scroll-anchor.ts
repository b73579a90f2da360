import * as z from 'zod/mini'
import { isPageScrolled, pageView, scrollPageBy, scrollPageToTop } from './page-scroll.ts'

/**
 * A scroll position that holds when something is added above: a row and the distance of its top from the top of the
 * page's view. Null at the top of the page.
 */
export type ScrollAnchor = z.infer<typeof scrollAnchor>

export const scrollAnchor = z.nullable(z.object({ rowId: z.string(), offsetPx: z.number() }))

/** Returns the anchor of the rows that are shown. */
export function findAnchor(rows: readonly { id: string; element: Element }[]): ScrollAnchor {
  if (!isPageScrolled()) return null
  const { top: viewTop } = pageView()
  return anchorOf(
    rows.map(({ id, element }) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { id, top: top - viewTop, bottom: bottom - viewTop }
    }),
  )
}

/**
 * Returns the anchor of the row at the top of the view: the first one that ends below it, or else the last one.
 * @param rows the rows with their edges, in pixels from the top of the view
 */
export function anchorOf(rows: readonly { id: string; top: number; bottom: number }[]): ScrollAnchor {
  const row = rows.find(({ bottom }) => bottom > 0) ?? rows.at(-1)
  return row === undefined ? null : { rowId: row.id, offsetPx: row.top }
}

/** Scrolls the anchor's row back to where it was; without one, to the top. */
export function scrollToAnchor(anchor: ScrollAnchor, findRow: (id: string) => Element | null): void {
  const row = anchor === null ? null : findRow(anchor.rowId)
  if (anchor === null || row === null) scrollPageToTop()
  else scrollPageBy(row.getBoundingClientRect().top - pageView().top - anchor.offsetPx)
}

/** Calls `record` while the reader scrolls, and `save` when the screen or the page may go. Returns what stops it. */
export function followScroll(record: () => void, save: () => void): () => void {
  // A hidden tab may be discarded without another event.
  function recordAndSave() {
    record()
    save()
  }
  window.addEventListener('scroll', record, { capture: true, passive: true })
  window.addEventListener('pagehide', recordAndSave)
  document.addEventListener('visibilitychange', recordAndSave)
  return () => {
    window.removeEventListener('scroll', record, { capture: true })
    window.removeEventListener('pagehide', recordAndSave)
    document.removeEventListener('visibilitychange', recordAndSave)
    // The next screen is in the page already: the last recorded place counts.
    save()
  }
}
