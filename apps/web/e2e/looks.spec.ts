import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from './accessibility.ts'
import { editorOf } from './editor.ts'
import { askForConsent, expect, fontsLoaded, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

/** Returns the page's distance from its top, in the window or in the phone frame. */
function scrollOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(window.scrollY, document.getElementById('page')?.scrollTop ?? 0))
}

function boxOf(page: Page, selector: string) {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => element.getBoundingClientRect().toJSON())
}

/** Returns a picture of the given size, in one color. */
function pictureOf(width: number, height: number, color = '#fff') {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path fill="${color}" d="M0 0h${width}v${height}H0z"/></svg>`
  return { contentType: 'image/svg+xml', body }
}

test.describe('pictures', () => {
  async function openMemo(page: Page) {
    await page.route(/\/edition\/prod\/\d\d-\d\d-\d\d-/, async (route) => {
      const response = await route.fetch()
      const memos = await response.json()
      for (const memo of memos) Object.assign(memo, { media: 'picture.jpg', media_title: 'The caption' })
      await route.fulfill({ response, json: memos })
    })
    await page.goto('/#/home')
    const title = page.locator('button.memo-title').first()
    // A memo that was open before stays open.
    if ((await title.getAttribute('aria-expanded')) !== 'true') await title.click()
  }

  test('keep their ratio up to 4:5, and open whole on a tap until Escape', async ({ reader }) => {
    for (const [width, height, ratio] of [
      [600, 700, 6 / 7],
      [600, 1500, 4 / 5],
      [1500, 600, 3 / 2],
    ] as const) {
      await reader.route('**/media/**', (route) => route.fulfill(pictureOf(width, height)))
      await openMemo(reader)
      const image = reader.locator('.memo-picture img').first()
      await expect
        .poll(() => image.evaluate((picture) => picture.clientWidth / picture.clientHeight))
        .toBeCloseTo(ratio, 1)
      await reader.unroute('**/media/**')
      await reader.goto('about:blank')
    }
    await reader.route('**/media/**', (route) => route.fulfill(pictureOf(600, 1500)))
    await openMemo(reader)
    const opener = reader.getByRole('button', { name: 'Show the whole picture' }).first()
    await opener.click()
    const dialog = reader.getByRole('dialog', { name: 'Picture' })
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
    await expect(dialog.locator('img')).toHaveCSS('object-fit', 'contain')
    expect(await violationsInLight(reader)).toEqual([])
    expect(await violationsInDark(reader)).toEqual([])
    await reader.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    await opener.click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  })

  test('are dimmed in dark mode if they are bright', async ({ reader }) => {
    const image = reader.locator('.memo-picture img').first()
    for (const [color, filter] of [
      ['#345', 'none'],
      ['#eec', /brightness/],
    ] as const) {
      await reader.route('**/media/**', (route) => route.fulfill(pictureOf(600, 400, color)))
      await reader.emulateMedia({ colorScheme: 'dark' })
      await openMemo(reader)
      await expect(image).toHaveCSS('filter', filter)
      await reader.emulateMedia({ colorScheme: 'light' })
      await expect(image).toHaveCSS('filter', 'none')
      await reader.unroute('**/media/**')
      await reader.goto('about:blank')
    }
  })

  test('that fail to load leave their caption', async ({ reader, consoleErrors }) => {
    await reader.route('**/media/**', (route) => route.abort())
    await openMemo(reader)
    await expect(reader.locator('.memo-caption').first()).toBeVisible()
    await expect(reader.locator('.memo-picture')).toHaveCount(0)
    consoleErrors.ignore()
  })
})

test.describe('the page', () => {
  test("centers 'Expand all' and 'Simplify' between their rules", async ({ reader }) => {
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: '10AM' }).click()
    await reader.getByRole('button', { name: 'Simplify' }).waitFor()
    const button = await boxOf(reader, '.list-actions button')
    const slot = await boxOf(reader, '.slot[data-shown="true"]')
    const list = await boxOf(reader, '.memos')
    expect(Math.abs((button.top + button.bottom) / 2 - (slot.bottom + list.top) / 2)).toBeLessThanOrEqual(1)
  })

  test('draws the loading shape exactly where the memos appear, without layout shifts', async ({
    reader,
  }) => {
    await reader.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) {
          performance.mark('shift', { detail: Reflect.get(shift, 'value') })
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: '10AM' }).click()
    await reader.getByRole('button', { name: 'Simplify' }).waitFor()
    const path = new URL(reader.url()).hash
    for (const hash of ['#/home', path]) {
      const held: (() => void)[] = []
      await reader.route(/\/edition\/prod\/\d\d-\d\d-\d\d-/, async (route) => {
        await new Promise<void>((resolve) => held.push(resolve))
        await route.continue()
      })
      await reader.goto('about:blank')
      await reader.goto(`/${hash}`)
      await expect(reader.locator('.masthead + section > .loading-skeleton')).toBeVisible()
      const shape = await boxOf(reader, '.loading-row')
      for (const release of held) release()
      await expect(reader.locator('.memo').first()).toBeVisible()
      const row = await boxOf(reader, '.memo')
      expect([row.top, row.left, row.width]).toEqual([shape.top, shape.left, shape.width])
      const shifted = await reader.evaluate(() =>
        performance
          .getEntriesByName('shift')
          .reduce((sum, mark) => sum + Number(Reflect.get(mark, 'detail')), 0),
      )
      expect(shifted).toBe(0)
      await reader.unroute(/\/edition\/prod\/\d\d-\d\d-\d\d-/)
    }
  })

  test('sets headings, rules, raised and lowered figures and wide tables', async ({ reader, request }) => {
    const cells = Array.from({ length: 12 }, (_, index) => `<td>Column ${index}</td>`).join('')
    const edition = await editorOf(request).publish(['Tables'], {
      memo_content: `<h2>Chapter</h2><p>CO<sub>2</sub> and m<sup>2</sup></p><hr><h3>Part</h3><table><tr>${cells}</tr></table>`,
    })
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Tables' }).click()
    const styleOf = (selector: string, name: string) =>
      reader
        .locator(`.prose ${selector}`)
        .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
    expect(await styleOf('h2', 'font-size')).not.toBe(await styleOf('h3', 'font-size'))
    expect(await styleOf('sup', 'line-height')).toBe('0px')
    expect(await styleOf('sub', 'line-height')).toBe('0px')
    expect(await styleOf('hr', 'border-top-style')).toBe('solid')
    const table = reader.locator('.table-scroll')
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true)
    expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('does not move a form for a message of two lines', async ({ reader, consoleErrors }) => {
    await reader.setViewportSize({ width: 360, height: 640 })
    await reader.route('**/cms/auth/protect', (route) =>
      route.fulfill({
        status: 429,
        json: { error: { code: 'too-many-requests', message: 'Too many attempts. '.repeat(4) } },
      }),
    )
    await reader.goto('/#/auth')
    await expect(reader.getByText(/we may write to you about membership/)).toBeVisible()
    const field = reader.getByLabel('Enter a phone number or email')
    const links = reader.getByRole('navigation', { name: 'Elsewhere' })
    await fontsLoaded(reader)
    const before = [await field.boundingBox(), await links.boundingBox()]
    await field.fill('reader@example.com')
    await reader.getByRole('button', { name: 'Submit' }).click()
    await expect(reader.getByText(/Too many attempts/)).toBeVisible()
    expect([await field.boundingBox(), await links.boundingBox()]).toEqual(before)
    consoleErrors.ignore()
  })

  test('asks for consent in one row at 360 px', async ({ reader, consoleErrors }) => {
    await askForConsent(reader)
    await reader.setViewportSize({ width: 360, height: 640 })
    await reader.goto('/#/auth')
    await expect(reader.getByText('May we count page views?')).toBeVisible()
    await fontsLoaded(reader)
    const question = await reader.getByText('May we count page views?').boundingBox()
    for (const name of ['Yes', 'No']) {
      const answer = await reader.getByRole('button', { name, exact: true }).boundingBox()
      expect((answer?.y ?? 0) + (answer?.height ?? 0) / 2).toBeCloseTo(
        (question?.y ?? 0) + (question?.height ?? 0) / 2,
        0,
      )
    }
    await reader.getByRole('button', { name: 'No', exact: true }).click()
    await reader.goto('/#/footer')
    await expect(reader.getByText(/Page views on this device aren’t counted/)).toBeVisible()
    // The browser takes the changed page for a foreign one, whose socket it blocks.
    consoleErrors.ignore()
  })

  test('has one button color, also outside the web app', async ({ page, consoleErrors }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: 'Enter' })
    const color = await button.evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.goto('/auth/verify-email?app=x&email=a@example.com&code=1')
    const pageButton = page.getByRole('link', { name: 'Log in' })
    await expect(pageButton).toHaveCSS('background-color', color)
    await page.goto('/missing-page')
    await expect(page.getByRole('heading')).toHaveCSS('font-family', /Newsreader/)
    const fonts = await page.evaluate(async () =>
      [...(await document.fonts.ready)].map(({ status }) => status),
    )
    expect(fonts).toEqual(['loaded', 'loaded'])
    // The browser logs the 404.
    consoleErrors.ignore()
  })
})

test.describe('a wide window', () => {
  test('scrolls by keyboard after load, and by wheel outside the phone', async ({ reader }) => {
    await reader.setViewportSize({ width: 1440, height: 900 })
    await reader.goto('/#/footer')
    await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeVisible()
    await reader.keyboard.press('PageDown')
    await expect.poll(() => scrollOf(reader)).toBeGreaterThan(100)
    await reader.keyboard.press('Home')
    await expect.poll(() => scrollOf(reader)).toBe(0)
    await reader.mouse.move(100, 450)
    await reader.mouse.wheel(0, 300)
    await expect.poll(() => scrollOf(reader)).toBeGreaterThan(100)
  })

  test('of 1024 by 768 holds the phone and its caption, above the shadow', async ({ reader }) => {
    await reader.setViewportSize({ width: 1024, height: 768 })
    await reader.goto('/#/home')
    await expect(reader.getByText('Designed for mobile')).toBeInViewport({ ratio: 1 })
    const height = await reader.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBe(768)
    await expect(reader.locator('.stage-caption')).toHaveCSS('position', 'relative')
  })

  test('that is short is not called a phone', async ({ reader }) => {
    await reader.setViewportSize({ width: 1200, height: 450 })
    await reader.goto('/#/home')
    await expect(reader.getByText('Presented in portrait mode.')).toBeVisible()
    await expect(reader.getByText('Turn your phone upright.')).toBeHidden()
  })
})

test('a phone in landscape shows how to see the page in portrait', async ({ browser, gatePass }) => {
  const context = await browser.newContext({
    baseURL: siteUnderTest.url(),
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  })
  await context.addCookies([{ ...gatePass, url: siteUnderTest.url() }])
  const page = await context.newPage()
  await page.goto('/#/home')
  await expect(page.getByText('Turn your phone upright.')).toBeVisible()
  await context.close()
})
