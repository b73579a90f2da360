import type { Locator, Page, Route } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { recorded } from '../widget/watched-page.ts'
import { expect, test } from './desk-page.ts'
import { draftOf } from './publish-data.ts'
import { picture } from './test-picture.ts'
import { saved, textOf, typeAtEnd } from './written-memo.ts'

/** A shift too small to see, as the bench of the screens has it. */
const maxShift = 0.02

/** The requests that a screen waits for. The person and the countdown above it are read before. */
const parts = /\/desk\/(?:v1\/(?!you$|deliveries\/progress$)|static\/(?:rich-text|preview-pane))/

/** Adds up how far the elements of a page move, and notes which. */
async function watchShifts(desk: Page): Promise<void> {
  await desk.addInitScript(() => {
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

const drawn = (desk: Page): Promise<void> =>
  desk.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Opens a screen whose parts arrive one by one, each as soon as the one before is drawn; the last one comes first. */
async function openByParts(desk: Page, path: string, useful: Locator): Promise<void> {
  const held: Route[] = []
  await desk.route(parts, (route) => void held.push(route))
  await desk.goto(path)
  const isWhole = async () => {
    const route = held.pop()
    if (route !== undefined) await route.fulfill({ response: await route.fetch() })
    await drawn(desk)
    return held.length === 0 && (await useful.isVisible())
  }
  await expect.poll(isWhole, { message: path, intervals: [20] }).toBe(true)
  await desk.unroute(parts)
}

for (const [width, height, key] of [
  [390, 844, '05-07-51-3PM'],
  [1440, 900, '05-08-51-3PM'],
] as const) {
  test(`no screen moves while its parts arrive, at ${width} px`, async ({ desk, request }) => {
    await desk.setViewportSize({ width: 1440, height: 900 })
    await draftOf(request, key, ['A memo with a picture', 'Another memo'])
    await desk.goto(`/desk/editions/${key}`)
    await desk.getByLabel('Picture', { exact: true }).setInputFiles(await picture())
    await desk.getByLabel('Decorative').check()
    await typeAtEnd(desk, ' A word.')
    await saved(desk)
    const memo = new URL(desk.url()).pathname
    const { id } = await editorOf(request).articleOf(null)
    await desk.setViewportSize({ width, height })
    // An edition that another test publishes meanwhile puts its countdown above every screen.
    await desk.route('**/deliveries/progress', (route) => route.fulfill({ json: { data: [] } }))
    await watchShifts(desk)

    const screens: [path: string, useful: Locator][] = [
      [memo, textOf(desk)],
      [`${memo}/versions`, desk.getByText(/^Comparing/)],
      [`/desk/articles/${id}`, textOf(desk)],
      ['/desk/archive', desk.getByText(/, \d+ memos?$/).first()],
      ['/desk/comments', desk.getByText('That is every report.')],
      ['/desk/numbers', desk.getByText('Most liked')],
      ['/desk/people', desk.getByText('owner@tidings.example').first()],
      ['/desk/you', desk.getByText('This device').first()],
    ]
    for (const [path, useful] of screens) {
      await openByParts(desk, path, useful)
      const moved: { by: number }[] = await recorded(desk, 'moved')
      const sum = moved.reduce((total, { by }) => total + by, 0)
      expect(sum, `${path} ${JSON.stringify(moved)}`).toBeLessThanOrEqual(maxShift)
    }
  })
}
