import type { Locator } from '@playwright/test'
import { accessibilityViolations } from './accessibility.ts'
import { editorOf } from './editor.ts'
import { expect, test } from './reader.ts'
import { siteUnderTest } from './site-under-test.config.ts'

const longAddress = `${'long-department-name.'.repeat(4)}corrections@news.tidings.example`

/** Returns the edges of an element, or of its text, in the window. */
function edgesOf(element: Locator, part: 'box' | 'text' = 'box') {
  return element.evaluate((node, of) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right, top, bottom } = (of === 'text' ? range : node).getBoundingClientRect()
    return { left, right, top, bottom }
  }, part)
}

/** Returns the colors of an element's line, drawn by `::before` or `::after`, and of the page. */
function lineColorsOf(element: Locator, pseudo: '::before' | '::after') {
  return element.evaluate((node, name) => {
    const line = getComputedStyle(node, name)
    const page = getComputedStyle(document.body).backgroundColor
    return { line: line.borderTopColor, width: line.borderTopWidth, page }
  }, pseudo)
}

test.describe('scripts and sizes', () => {
  test('an Arabic memo reads from right to left, with English words in their own direction', async ({
    reader,
    request,
  }) => {
    const editor = editorOf(request)
    const edition = await editor.publish(['Harbour opens'])
    await editor.addMemo(edition, 'MSC: الميناء يفتح أبوابه من جديد', {
      language: 'ar',
      memo_content:
        '<p>فتح الميناء أبوابه.</p><p>The harbour said: we are open.</p><ul><li>الأول</li><li>Second</li></ul>',
    })
    await reader.goto(`/#/edition/${edition}`)
    await reader.getByRole('button', { name: 'Expand all' }).click()
    const arabic = reader.locator('.memo[lang="ar"]')
    const english = reader.locator('.memo', { hasText: 'Harbour opens' })
    await expect(arabic.getByText('The harbour said')).toBeVisible()
    await expect(arabic).toHaveCSS('direction', 'rtl')
    await expect(english).toHaveCSS('direction', 'ltr')
    await expect(english).not.toHaveAttribute('lang')

    const row = await edgesOf(arabic)
    const sign = await edgesOf(arabic.locator('.memo-sign'))
    const title = await edgesOf(arabic.locator('.memo-title > span').first(), 'text')
    const quotation = await edgesOf(arabic.getByText('The harbour said'), 'text')
    const sentence = await edgesOf(arabic.getByText('فتح الميناء أبوابه.'), 'text')
    expect(sign.left).toBeCloseTo(row.left, 0)
    expect(title.right).toBeCloseTo(row.right, 0)
    expect(title.left).toBeGreaterThan(sign.right)
    expect(sentence.right).toBeCloseTo(row.right, 0)
    expect(quotation.left).toBeCloseTo(row.left, 0)
    const items = arabic.getByRole('listitem')
    const [first, second] = [await edgesOf(items.nth(0), 'text'), await edgesOf(items.nth(1), 'text')]
    expect(second.right).toBeCloseTo(first.right, 0)
    await expect(arabic.locator('.prose').last()).toHaveCSS('hyphens', 'auto')
    expect(await accessibilityViolations(reader)).toEqual([])

    // On an Arabic site, the site's own sentences are still English.
    await reader.locator('html').evaluate((page: HTMLElement) => {
      page.dir = 'rtl'
    })
    const [start, end] = await reader
      .locator('.end-line span')
      .first()
      .evaluate(({ firstChild: text }) =>
        [0, (text?.textContent?.length ?? 0) - 1].map((index) => {
          const range = new Range()
          if (text !== null) range.setStart(text, index)
          if (text !== null) range.setEnd(text, index + 1)
          return range.getBoundingClientRect().left
        }),
      )
    expect(end).toBeGreaterThan(start ?? Number.POSITIVE_INFINITY)
  })

  test('text of twice the size is neither clipped nor covered', async ({ page, gatePass, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens after a hundred uneventful years'])
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    const enlarge = () => page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))

    await page.goto('/#/protect')
    const button = page.getByRole('button', { name: 'Show password' })
    await expect(button).toBeVisible()
    await enlarge()
    const input = page.getByLabel('Password', { exact: true })
    const [box, label, field] = [await edgesOf(button), await edgesOf(button, 'text'), await edgesOf(input)]
    const room = await input.evaluate((node) => Number.parseFloat(getComputedStyle(node).paddingInlineEnd))
    expect(label.left).toBeGreaterThanOrEqual(box.left)
    expect(label.bottom).toBeLessThanOrEqual(box.bottom)
    expect(box.bottom).toBeLessThanOrEqual(field.bottom)
    expect(box.left).toBeGreaterThanOrEqual(field.right - room)
    expect(await overflow()).toBe(0)

    await page.context().addCookies([{ ...gatePass, url: siteUnderTest.url() }])
    await page.goto(`/?again#/edition/${edition}`)
    await expect(page.locator('.memo-sign')).toBeVisible()
    await enlarge()
    const title = await edgesOf(page.locator('.memo-title > span').first(), 'text')
    const sign = await edgesOf(page.locator('.memo-sign'))
    const line = await page
      .locator('.memo-sign')
      .evaluate((node) => Number.parseFloat(getComputedStyle(node, '::before').width))
    expect(title.right).toBeLessThan(sign.left)
    expect(sign.right).toBeLessThanOrEqual(390 - 24)
    expect(line).toBe(24)
    expect(line).toBeLessThan(sign.right - sign.left)
    expect(await overflow()).toBe(0)

    await page.goto('/#/footer')
    const link = page.getByRole('link', { name: '@' }).first()
    await link.evaluate((node, address) => node.replaceChildren(address), longAddress)
    expect((await edgesOf(link)).right).toBeLessThanOrEqual(390 - 24)
    expect(await overflow()).toBe(0)
  })

  test('the signs and the chosen slot stay visible in forced colors', async ({ reader, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    await reader.emulateMedia({ forcedColors: 'active' })
    await reader.goto(`/#/edition/${edition}`)
    const sign = reader.locator('.memo-sign')
    await expect(sign).toBeVisible()
    const lines = [
      await lineColorsOf(sign, '::before'),
      await lineColorsOf(sign, '::after'),
      await lineColorsOf(reader.locator('.slot[data-shown="true"]'), '::after'),
    ]
    for (const { line, width, page } of lines) {
      expect(width).toBe('1px')
      expect(line).not.toBe(page)
    }
  })
})
