import { expect, type Page } from '@playwright/test'

const mostKeys = 120

/** Checks that by Tab and Shift+Tab, no element of a screen has the focus where something covers it (WCAG 2.4.11). */
export async function expectUncoveredFocus(page: Page, screen: string): Promise<void> {
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  for (const key of ['Tab', 'Shift+Tab'] as const) {
    const { focused, covered } = await goThrough(page, key)
    expect.soft(covered, `${screen}, ${key}`).toEqual([])
    expect.soft(focused, `${screen}, ${key}`).toBeGreaterThan(0)
  }
}

async function goThrough(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
): Promise<{ focused: number; covered: string[] }> {
  const covered: string[] = []
  let focused = 0
  for (let keys = 0; keys < mostKeys; keys += 1) {
    await page.keyboard.press(key)
    const state = await focusState(page)
    if (state === 'left' && focused > 0) break
    if (state !== 'left') focused += 1
    if (typeof state === 'object') covered.push(state.covered)
  }
  return { focused, covered }
}

/** Returns whether the focus has left the page or its element is seen at least in part; else, what is covered. */
async function focusState(page: Page): Promise<'left' | 'seen' | { covered: string }> {
  return await page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'left'
    const { left, top, width, height } = element.getBoundingClientRect()
    const shares = [0.02, 0.25, 0.5, 0.75, 0.98]
    const isSeen = shares.some((x) =>
      shares.some((y) => {
        const at = document.elementFromPoint(left + width * x, top + height * y)
        return element.contains(at)
      }),
    )
    return isSeen ? 'seen' : { covered: `${element.outerHTML.slice(0, 120)} at ${Math.round(top)} px` }
  })
}
