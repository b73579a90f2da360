import type { Request } from '@playwright/test'
import { bodySizes, expect, test } from './reader.ts'

const isFont = (path: string) => path.includes('-wght-')

test.describe('the first visit', () => {
  test('of /home stays within its budgets, and fonts that arrive late move nothing', async ({ reader }) => {
    const finished: Request[] = []
    reader.on('requestfinished', (request) => finished.push(request))
    await reader.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries())
          performance.mark('shift', { detail: Reflect.get(shift, 'value') })
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const fonts = Promise.withResolvers<void>()
    await reader.route('**/*.woff2', async (route) => {
      await fonts.promise
      await route.continue()
    })
    await reader.goto('/#/home', { waitUntil: 'commit' })
    await expect(reader.locator('button.memo-title').last()).toBeVisible()
    fonts.resolve()
    await reader.waitForLoadState('networkidle')
    await reader.evaluate(async () => {
      await document.fonts.ready
      const frame = () => new Promise(requestAnimationFrame)
      await frame()
      await frame()
    })

    const sizes = await bodySizes(finished)
    const sumOf = (pattern: RegExp) =>
      sizes.filter(({ path }) => pattern.test(path)).reduce((sum, { bytes }) => sum + bytes, 0)
    expect(sizes.length).toBeLessThanOrEqual(8)
    expect(sumOf(/./)).toBeLessThanOrEqual(170_000)
    expect(sumOf(/\.js$/)).toBeLessThanOrEqual(118_000)
    expect(sumOf(/\.woff2$/)).toBeLessThanOrEqual(36_000)
    expect(
      sizes
        .map(({ path }) => path.replace(/-[\w-]{8}\.woff2$/, ''))
        .filter(isFont)
        .sort(),
    ).toEqual(['/static/figtree-english-wght-normal', '/static/newsreader-english-wght-normal'])
    const shifted = await reader.evaluate(() =>
      performance
        .getEntriesByName('shift')
        .reduce((sum, mark) => sum + Number(Reflect.get(mark, 'detail')), 0),
    )
    // The fallback fonts are as wide as those that arrive late, on average: a title may still break lines differently.
    expect(shifted).toBeLessThan(0.02)
  })

  test('with a slow script shows the titles first, and the script leaves them in place', async ({
    reader,
  }) => {
    const script = Promise.withResolvers<void>()
    await reader.route('**/static/js/index-*.js', async (route) => {
      await script.promise
      await route.continue()
    })
    await reader.goto('/#/home', { waitUntil: 'commit' })
    const titles = reader.locator('.memo-title')
    await expect(titles.last()).toBeVisible()
    // Further titles depend on where lines break in the first font, which is the device's.
    const topOfFirst = async () => (await titles.first().boundingBox())?.y
    const signOfFirst = () =>
      reader
        .locator('.memo-sign')
        .first()
        .evaluate((sign) => getComputedStyle(sign, '::after').transform)
    const shown = async () => ({
      texts: await titles.allTextContents(),
      top: await topOfFirst(),
      sign: await signOfFirst(),
    })
    const early = await shown()
    script.resolve()
    await expect(reader.locator('button.memo-title').last()).toBeVisible()
    const memos = reader.locator('.memo')
    expect(await memos.evaluateAll((rows) => rows.map((row) => getComputedStyle(row).animationName))).toEqual(
      early.texts.map(() => 'none'),
    )
    expect(await shown()).toEqual(early)
  })

  test('of a screen whose code fails to load shows an error, and reloading helps', async ({
    reader,
    consoleErrors,
  }) => {
    await reader.route('**/static/js/legal-screen-*.js', (route) => route.abort())
    await reader.goto('/#/footer')
    await expect(reader.getByText('Loading chunk failed')).toBeVisible()
    consoleErrors.splice(0)
    await reader.unroute('**/static/js/legal-screen-*.js')
    await reader.getByRole('button', { name: 'Reload the page' }).click()
    await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeVisible()
  })

  test('without a network shows what the reader read last', async ({ reader, consoleErrors }) => {
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: '10AM' }).click()
    await expect(reader.getByRole('button', { name: 'Expand all' })).toBeVisible()
    const title = await reader.getByRole('heading', { level: 2 }).first().textContent()
    await reader.route(/\/edition\//, (route) => route.abort())
    await reader.reload()
    await expect(reader.getByText(/You’re offline/)).toBeVisible()
    await expect(reader.getByRole('heading', { level: 2 }).first()).toHaveText(title ?? '')
    consoleErrors.splice(0)
    await reader.unroute(/\/edition\//)
    await reader.getByRole('button', { name: 'Try again' }).click()
    await expect(reader.getByRole('button', { name: 'Expand all' })).toBeVisible()
  })
})
