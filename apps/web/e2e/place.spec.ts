import type { Locator, Page } from '@playwright/test'
import { editorOf } from './editor.ts'
import { expect, fontsLoaded, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

const titles = Array.from({ length: 9 }, (_, index) => `Memo number ${index + 1} of a long morning`)
const longContent = Array.from({ length: 24 }, (_, index) => {
  const sentence = 'The harbour opens at dawn, and the first boats leave with the tide. '
  return `<p>Paragraph ${index + 1}. ${sentence.repeat(3)}</p>`
}).join('')

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN
}

/** Waits until an element is back where it was, to the pixel. */
async function expectAt(locator: Locator, top: number): Promise<void> {
  await expect(locator).toBeInViewport()
  await expect.poll(async () => Math.abs((await topOf(locator)) - top)).toBeLessThanOrEqual(1)
}

/** Scrolls the window or the phone frame until an element is 60 px above the middle of the view. */
async function scrollTo(locator: Locator): Promise<number> {
  await fontsLoaded(locator.page())
  await locator.evaluate((element) => {
    element.scrollIntoView({ block: 'center' })
    const page = document.getElementById('page')
    const scroller = page !== null && page.scrollTop > 0 ? page : window
    scroller.scrollBy(0, 60)
  })
  return await topOf(locator)
}

/** Hides the page, as a tab switch does, and loads it anew without a `pagehide`, as after a discard. */
async function discard(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    window.addEventListener('pagehide', (event) => event.stopImmediatePropagation(), { capture: true })
  })
  await page.reload()
}

test.describe('the place of a reader', () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    test(`survives reload, discard, back and forward at ${viewport.width} px`, async ({
      reader,
      request,
    }) => {
      const editor = editorOf(request)
      const morning = await editor.publish(titles, { memo_content: longContent })
      const other = await editor.publish(titles)
      await reader.setViewportSize(viewport)
      await reader.emulateMedia({ reducedMotion: 'no-preference' })
      await reader.goto(`/#/edition/${morning}`)
      const second = reader.getByRole('button', { name: 'Memo number 2' })
      const row = reader.getByRole('listitem').filter({ hasText: 'Memo number 3' })
      const paragraph = row.getByText('Paragraph 20.')
      await reader.getByRole('button', { name: 'Expand all' }).click()
      await reader.getByRole('button', { name: 'Memo number 4' }).click()
      await expect(paragraph).toBeVisible()
      // Scrolling begins once the rows are as high as they will be.
      await reader.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
      let top = await scrollTo(paragraph)

      await reader.reload()
      await expectAt(paragraph, top)
      await discard(reader)
      await expectAt(paragraph, top)
      await expect(second).toHaveAttribute('aria-expanded', 'true')
      await expect(reader.getByRole('button', { name: 'Memo number 4' })).toHaveAttribute(
        'aria-expanded',
        'false',
      )

      // The other edition has a place of its own.
      await reader.evaluate((key) => window.location.assign(`#/edition/${key}`), other)
      await expect(reader.getByText('Paragraph 20.')).toHaveCount(0)
      await expect(reader.getByRole('button', { name: 'Memo number 1' })).toBeInViewport()
      await reader.goBack()
      await expectAt(paragraph, top)
      await reader.goForward()
      await expect(reader.getByRole('button', { name: 'Memo number 1' })).toBeInViewport()
      await reader.goBack()
      await expectAt(paragraph, top)

      // A screen in between, and a memo that was added above in the meantime.
      top = await scrollTo(paragraph)
      await reader.getByRole('link', { name: '© 2025' }).evaluate((link: HTMLElement) => link.click())
      await expect(reader.getByRole('heading', { name: 'Terms of Use' })).toBeAttached()
      await editor.addMemo(morning, 'Night train returns', { position: 1 })
      await reader.goBack()
      await expectAt(paragraph, top)
      await reader.reload()
      await expect(reader.getByRole('heading', { name: 'Night train returns' })).toBeAttached()
      await expectAt(paragraph, top)

      // A link, unlike the way back, leads to the top.
      await reader.getByRole('link', { name: '© 2025' }).evaluate((link: HTMLElement) => link.click())
      await reader.getByRole('link', { name: 'Back to Home' }).click()
      await expect(reader.getByRole('heading', { level: 1 })).toBeInViewport()
    })
  }

  test('leads through the gate to where the link led, and back when the pass expires', async ({
    page,
    request,
    consoleErrors,
  }) => {
    const edition = await editorOf(request).publish(titles, { memo_content: longContent })
    const pass = async () => {
      await page.getByLabel('Password', { exact: true }).fill(siteUnderTest.password())
      await page.getByRole('button', { name: 'Enter' }).click()
    }
    // As after a payment: the query in front of the hash stays as it is.
    await page.goto(`/?session=cs_1#/edition/${edition}?paid=yes`)
    await expect(page).toHaveURL(/\/\?session=cs_1#\/protect$/)
    await page.reload()
    await pass()
    await expect(page.getByRole('button', { name: 'Memo number 1' })).toBeVisible()
    expect(page.url()).toContain(`/?session=cs_1#/edition/${edition}`)

    await page.getByRole('button', { name: 'Memo number 1' }).click()
    const paragraph = page.getByText('Paragraph 12.')
    await expect(paragraph).toBeVisible()
    const top = await scrollTo(paragraph)
    await page.context().clearCookies()
    await page.reload()
    await expect(page).toHaveURL(/#\/protect$/)
    // The browser logs the 401 of an expired pass.
    consoleErrors.splice(0)
    await pass()
    await expectAt(paragraph, top)
  })
})
