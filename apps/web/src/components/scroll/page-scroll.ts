/** Id of the element that scrolls inside the phone frame; on a phone the window scrolls. */
export const pageId = 'page'

const topTolerancePx = 8

/** Returns whether the reader has scrolled away from the top, in the window or inside the phone frame. */
export function isPageScrolled(): boolean {
  const inFrame = document.getElementById(pageId)?.scrollTop ?? 0
  return Math.max(window.scrollY, inFrame) > topTolerancePx
}

export function scrollPageToTop(): void {
  window.scrollTo({ top: 0 })
  document.getElementById(pageId)?.scrollTo({ top: 0 })
}

/** Scrolls the window or the phone frame down by a number of pixels, at once. */
export function scrollPageBy(px: number): void {
  const page = frameOf()
  if (page === null) window.scrollBy({ top: px, behavior: 'instant' })
  else page.scrollBy({ top: px, behavior: 'instant' })
}

/** Returns the edges of the visible part of the page, in pixels from the top of the window. */
export function pageView(): { top: number; height: number } {
  const page = frameOf()
  if (page === null) return { top: 0, height: window.innerHeight }
  return { top: page.getBoundingClientRect().top, height: page.clientHeight }
}

/** Returns the page's element where it scrolls itself, as in the phone frame; null where the window scrolls. */
export function frameOf(): HTMLElement | null {
  const page = document.getElementById(pageId)
  return page !== null && getComputedStyle(page).overflowY === 'auto' ? page : null
}
