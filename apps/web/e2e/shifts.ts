import { expect, type Locator, type Page, type Route } from '@playwright/test'
import { recorded } from './widget/watched-page.ts'

/** The most that a screen may move in all: words that change their width with the font, but no line. */
const maxShift = 0.002

/** Has each page that is opened from now on record which of its elements move, and how far. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved: { by: number; what: string }[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) {
        const nodes: { node: Node | null }[] = Reflect.get(shift, 'sources')
        const what = nodes.map(({ node }) => node?.textContent?.slice(0, 80)).join(' | ')
        moved.push({ by: Reflect.get(shift, 'value'), what })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** A screen, the requests that it waits for, which of them is answered first, and what it shows in the end. */
export type Parts = { path: string; requests: RegExp; first: 'newest' | 'oldest'; useful: Locator }

/** Opens a screen whose parts arrive one by one, each once the one before is drawn, and checks that nothing moves. */
export async function expectSteady(page: Page, { path, requests, first, useful }: Parts): Promise<void> {
  const held: Route[] = []
  await page.route(requests, (route) => void held.push(route))
  await page.goto(path)
  const isWhole = async () => {
    const route = first === 'newest' ? held.pop() : held.shift()
    if (route !== undefined) {
      const response = route.request().response()
      await route.fallback()
      await (await response)?.finished()
    }
    await drawn(page)
    return held.length === 0 && (await useful.isVisible())
  }
  await expect.poll(isWhole, { message: path, intervals: [20] }).toBe(true)
  await page.unroute(requests)
  await drawn(page)
  const moved: { by: number }[] = await recorded(page, 'moved')
  const sum = moved.reduce((total, { by }) => total + by, 0)
  expect.soft(sum, `${path} ${JSON.stringify(moved)}`).toBeLessThanOrEqual(maxShift)
}
