import { pageId } from './page-scroll.ts'

const scrollKeys = new Set([' ', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'])
const linePx = 16

/** Scrolls the page inside the phone frame by keyboard and by wheel, wherever on the window the reader points. */
export function forwardFrameScroll(): () => void {
  const controller = new AbortController()
  const options = { passive: true, signal: controller.signal }

  // The browser scrolls what has the focus, also when it gets it just now.
  function focusPage({ key, target }: KeyboardEvent) {
    if (target === document.body && scrollKeys.has(key)) scrollingPage()?.focus({ preventScroll: true })
  }

  function scrollPage({ deltaY, deltaMode, ctrlKey, target }: WheelEvent) {
    const page = scrollingPage()
    if (page === null || ctrlKey || (target instanceof Node && page.contains(target))) return
    // A window that is shorter than the frame scrolls first.
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement
    const windowRoom = deltaY > 0 ? scrollHeight - clientHeight - scrollTop : scrollTop
    if (windowRoom > 1) return
    page.scrollBy({ top: deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * linePx : deltaY })
  }

  document.addEventListener('keydown', focusPage, options)
  document.addEventListener('wheel', scrollPage, options)
  return () => controller.abort()
}

/** Returns the page if it scrolls inside the phone frame. */
function scrollingPage(): HTMLElement | null {
  const page = document.getElementById(pageId)
  return page !== null && page.scrollHeight > page.clientHeight ? page : null
}
