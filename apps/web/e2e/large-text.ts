import type { Page } from '@playwright/test'

/** Returns what is lost with text of twice the size: what is wider than the screen, cut off or covered by other text. */
export function lossesOfLargeText(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const root = document.documentElement
    const settled = async () => {
      for (let frame = 0; frame < 3; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    const nameOf = (element: Element) =>
      `${element.localName}.${element.className} '${element.textContent.trim().slice(0, 30)}'`

    /** Text that is drawn where it stands: not for screen readers only, closed, or above the page. */
    function isInFlow(element: Element): boolean {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
      for (let part: Element | null = element; part !== null; part = part.parentElement) {
        const { position, overflowY, clipPath } = getComputedStyle(part)
        if (position === 'fixed' || position === 'sticky' || clipPath === 'inset(50%)') return false
        if (overflowY !== 'visible' && part.clientHeight === 0 && part !== element) return false
      }
      return true
    }

    function linesOf(element: Element): DOMRect[] {
      return [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '')
        .flatMap((node) => {
          const range = document.createRange()
          range.selectNodeContents(node)
          return [...range.getClientRects()]
        })
    }

    function scrollerOf(element: Element): Element | null {
      for (let part = element.parentElement; part !== null && part !== root; part = part.parentElement)
        if (/auto|scroll/.test(getComputedStyle(part).overflowY)) return part
      return null
    }

    function isShownIn(line: DOMRect, scroller: Element | null): boolean {
      if (scroller === null) return true
      const { top, bottom } = scroller.getBoundingClientRect()
      return line.bottom > top + 1 && line.top < bottom - 1
    }

    const areOver = (one: DOMRect, other: DOMRect) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > one.height / 3

    root.style.setProperty('font-size', '200%')
    await settled()
    const elements = [...document.querySelectorAll('main, main *')].filter(isInFlow)
    const wide = [root, document.getElementById('page') ?? root]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ scrollWidth, clientWidth }) => `the page is ${scrollWidth - clientWidth} px too wide`)
    const cut = elements
      .filter((element) => !element.matches('input, textarea'))
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element)
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
        const isCut = (overflow: string, excess: number) => /hidden|clip/.test(overflow) && excess > 1
        return isCut(overflowX, scrollWidth - clientWidth) || isCut(overflowY, scrollHeight - clientHeight)
      })
      .map((element) => `cut off: ${nameOf(element)}`)
    const texts = elements.map((element) => {
      const scroller = scrollerOf(element)
      const lines = linesOf(element)
      return { element, scroller, lines, shown: lines.filter((line) => isShownIn(line, scroller)) }
    })
    const covered = texts.flatMap((one, index) =>
      texts
        .slice(index + 1)
        .filter((other) => {
          // Text that is scrolled away covers nothing outside.
          const [left, right] =
            one.scroller === other.scroller ? [one.lines, other.lines] : [one.shown, other.shown]
          return right.some((line) => left.some((each) => areOver(each, line)))
        })
        .map((other) => `one over the other: ${nameOf(one.element)}, ${nameOf(other.element)}`),
    )
    root.style.removeProperty('font-size')
    await settled()
    return [...new Set([...wide, ...cut, ...covered])]
  })
}
