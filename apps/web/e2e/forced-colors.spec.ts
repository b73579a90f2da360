import type { Locator, Page } from '@playwright/test'
import { createSubscriber, openSession } from './members/member.ts'
import { expect, test } from './reader.ts'

/** Returns how many pixels of an element stand out by 3 to 1 from the paper in its corner. */
async function inkOf(page: Page, element: Locator): Promise<number> {
  const png = (await element.screenshot({ animations: 'disabled' })).toString('base64')
  return await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    if (context === null) throw new Error('No canvas')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    const channel = (value: number) =>
      value / 255 <= 0.04045 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4
    const lightness = (at: number) =>
      0.2126 * channel(data[at] ?? 0) +
      0.7152 * channel(data[at + 1] ?? 0) +
      0.0722 * channel(data[at + 2] ?? 0)
    const paper = lightness(0)
    let count = 0
    for (let at = 0; at < data.length; at += 4) {
      const [low = 0, high = 0] = [paper, lightness(at)].toSorted((a, b) => a - b)
      if ((high + 0.05) / (low + 0.05) >= 3) count += 1
    }
    return count
  }, png)
}

test.describe('in forced colors', () => {
  test.use({ forcedColors: 'active' })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`errors and the focus are seen, ${colorScheme}`, async ({ reader }) => {
      await reader.emulateMedia({ colorScheme, forcedColors: 'active' })
      await reader.goto('/#/account/login')
      const email = reader.getByLabel('Email')
      const submit = reader.getByRole('button', { name: 'Submit' })
      await expect(email).toBeVisible()
      // The focus of a field is drawn over its edge.
      const plain = await inkOf(reader, email)
      await email.focus()
      const focused = await inkOf(reader, email)
      expect(focused).toBeGreaterThan(plain)

      // A button has an edge: more is painted than its text.
      const edge = await submit.evaluate((node) => 2 * (node.clientWidth + node.clientHeight))
      expect(await inkOf(reader, submit)).toBeGreaterThan(edge)
      await submit.click()
      const error = reader.getByText('Enter your email.')
      await expect(error).toBeVisible()
      expect(await inkOf(reader, error)).toBeGreaterThan(100)
      await reader.getByRole('heading', { level: 1 }).click()
      await expect(email).not.toBeFocused()
      expect(await inkOf(reader, email)).toBeGreaterThan(plain * 1.5)
    })

    test(`switches and the sticky Submit are seen, ${colorScheme}`, async ({ reader }) => {
      await openSession(reader, await createSubscriber(reader))
      await reader.emulateMedia({ colorScheme, forcedColors: 'active' })
      await reader.goto('/#/account/dashboard')
      const toggle = reader.getByRole('switch', { name: 'PDF by e-mail' })
      const row = reader.locator('label.switch', { hasText: 'PDF by e-mail' })
      const sticky = reader.locator('.form-end[data-sticky="true"]')
      await expect(toggle).toBeVisible()
      await toggle.scrollIntoViewIfNeeded()
      const off = await inkOf(reader, toggle)
      expect(off).toBeGreaterThan(200)
      await toggle.check()
      await expect(sticky.getByText('Not saved yet')).toBeVisible()
      await reader.getByRole('heading', { level: 1 }).click({ force: true })
      await toggle.scrollIntoViewIfNeeded()
      const on = await inkOf(reader, toggle)
      expect(on).toBeGreaterThan(off * 1.2)
      const unfocused = await inkOf(reader, row)
      await toggle.focus()
      await reader.keyboard.press('Shift')
      expect(await inkOf(reader, row)).toBeGreaterThan(unfocused)

      const { edge, paper, line, window } = await sticky.evaluate((node) => {
        const style = getComputedStyle(node)
        const { bottom } = node.getBoundingClientRect()
        return {
          edge: style.borderTopColor,
          line: style.borderTopWidth,
          paper: style.backgroundColor,
          window: Math.round(bottom) <= innerHeight,
        }
      })
      expect([edge === paper, line, window]).toEqual([false, '1px', true])
      // Nothing shows through.
      expect(paper).not.toBe('rgba(0, 0, 0, 0)')
    })

    test(`a like is seen, ${colorScheme}`, async ({ reader }) => {
      await reader.emulateMedia({ colorScheme, forcedColors: 'active' })
      await reader.goto('/#/home')
      const title = reader.locator('button.memo-title').first()
      await expect(title).toBeVisible()
      if ((await title.getAttribute('aria-expanded')) !== 'true') await title.click()
      const like = reader.locator('button.like').first()
      const heart = like.locator('.heart')
      await expect(like).toHaveAttribute('aria-pressed', 'false')
      await heart.scrollIntoViewIfNeeded()
      const empty = await inkOf(reader, heart)
      expect(empty).toBeGreaterThan(40)
      await like.click()
      await expect(like).toHaveAttribute('aria-pressed', 'true')
      await expect(like).not.toHaveAttribute('data-pending', 'true')
      await reader.getByRole('heading', { level: 2 }).first().hover()
      const filled = await inkOf(reader, heart)
      expect(filled).toBeGreaterThan(empty * 1.5)
      await like.click()
      await expect(like).toHaveAttribute('aria-pressed', 'false')
    })
  }
})
