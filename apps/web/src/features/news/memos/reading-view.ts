import { isPageScrolled, pageView } from '#components/scroll/page-scroll.ts'

/** The changes that an update may make to the list. */
export type Permission = {
  /** Whether the memos on the screen may change their order. */
  mayReorder: boolean
  /** Whether a new memo may be put in front of a row, or at the end (null). */
  mayInsertBefore: (rowId: string | null) => boolean
}

const rowSelector = '.memos > li'
const openSelector = '.memos [aria-expanded="true"]'

/** Returns whether the reader is in the middle of the list: scrolled, or with a memo open. */
function isReading(): boolean {
  return isPageScrolled() || document.querySelector(openSelector) !== null
}

/** Returns whether the top of a row is above the lower edge of the view. */
export function isRowInView(row: HTMLElement): boolean {
  const view = pageView()
  return row.getBoundingClientRect().top < view.top + view.height
}

/** Returns what an update may do without moving what the reader is reading. */
export function permissionOf(rowIdOf: (id: string) => string): Permission {
  if (!isReading()) return { mayReorder: true, mayInsertBefore: () => true }
  return {
    mayReorder: false,
    mayInsertBefore(id) {
      const row = id === null ? null : document.getElementById(rowIdOf(id))
      if (row === null || !isRowInView(row)) return true
      return !isPageScrolled() && !isAnyOpenFrom(row)
    },
  }
}

function isAnyOpenFrom(row: HTMLElement): boolean {
  return [...document.querySelectorAll(openSelector)].some(
    (open) => (row.compareDocumentPosition(open) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  )
}

/** Returns the row that is being read: the first open one in the view, or else the first; null if nothing is. */
export function findRowBeingRead(): HTMLElement | null {
  if (!isReading()) return null
  const { top } = pageView()
  const rows = [...document.querySelectorAll<HTMLElement>(rowSelector)].filter(
    (row) => row.getBoundingClientRect().bottom > top && isRowInView(row),
  )
  return rows.find((row) => row.querySelector(openSelector) !== null) ?? rows[0] ?? null
}

/** Marks a row that has entered, or is about to move: the browser would repeat the animation of a row that moves. */
export function markEntered(row: EventTarget): void {
  if (row instanceof HTMLElement && row.matches('.memo')) row.dataset.entered = 'true'
}
