/** Id of the element that scrolls inside the phone frame; on a phone the window scrolls. */
export const pageId = 'page'

const topTolerancePx = 8

/** Whether the reader has scrolled away from the top, in the window or inside the phone frame. */
export function isPageScrolled(): boolean {
  const inFrame = document.getElementById(pageId)?.scrollTop ?? 0
  return Math.max(window.scrollY, inFrame) > topTolerancePx
}

export function scrollPageToTop(): void {
  window.scrollTo({ top: 0 })
  document.getElementById(pageId)?.scrollTo({ top: 0 })
}
