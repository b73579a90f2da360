import type { Page } from '@playwright/test'
import { archiveListReply } from '@tidings/contracts/editions'
import { accessibilityViolations } from '../accessibility.ts'
import { createAccount, expect, openSession, test } from './member.ts'

const newest = Date.UTC(2021, 5, 30)
const dayMs = 24 * 60 * 60 * 1000

/** Ten years of days, newest first, of which every seventh has no evening edition. */
const tenYears = Array.from({ length: 3650 }, (_, index) => {
  const day = new Date(newest - index * dayMs)
  const date = [day.getUTCMonth() + 1, day.getUTCDate(), day.getUTCFullYear() % 100]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const slots = index % 7 === 0 ? ['3PM', '10AM'] : ['8PM', '3PM', '10AM']
  return slots.map((time_stamp) => ({ date, time_stamp }))
}).flat()

/** Opens the archive with ten years below the site's own editions. */
async function openArchive(page: Page): Promise<void> {
  await page.route('**/edition/prod/get_list', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: [...archiveListReply.parse(await response.json()), ...tenYears] })
  })
  await openSession(page, await createAccount(page))
  await page.goto('/#/archive')
  await expect(page.getByRole('listitem').first()).toBeVisible()
}

/** Returns the text of the row in the middle of the view; null where there is none. */
function rowInView(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const [x, y] = [window.innerWidth / 2 - 60, window.innerHeight / 2]
    return document.elementFromPoint(x, y)?.closest('li')?.querySelector('time')?.dateTime ?? null
  })
}

/** Returns how far the page is scrolled, in the window or in the phone frame. */
function scrolledPx(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(window.scrollY, document.getElementById('page')?.scrollTop ?? 0))
}

async function topOf(page: Page, date: string): Promise<number> {
  return (await page.locator(`time[datetime="${date}"]`).boundingBox())?.y ?? Number.NaN
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`ten years of the archive scroll, jump and open at ${viewport.width} px`, async ({
    reader,
    consoleErrors,
  }) => {
    await reader.setViewportSize(viewport)
    await openArchive(reader)
    expect(await accessibilityViolations(reader)).toEqual([])
    const rows = reader.getByRole('listitem')
    expect(Number(await rows.first().getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(3650)

    await reader.mouse.move(viewport.width / 2, viewport.height / 2)
    for (let step = 1; step <= 8; step += 1) {
      await reader.mouse.wheel(0, 12_000)
      // The call doesn't wait for the scrolling.
      await expect.poll(() => scrolledPx(reader)).toBeGreaterThan(step * 12_000 - 6_000)
      await expect.poll(() => rowInView(reader)).not.toBeNull()
      expect(await rows.count()).toBeLessThan(60)
    }
    const years = reader.getByRole('combobox', { name: 'Year' })
    const months = reader.getByRole('combobox', { name: 'Month' })
    await expect.poll(async () => Number(await years.inputValue())).toBeLessThan(2021)

    await years.selectOption('2014')
    await expect.poll(() => rowInView(reader)).toMatch(/^2014-/)
    await months.selectOption('March')
    await expect(reader.locator('time[datetime="2014-03-31"]')).toBeInViewport()
    await expect(years).toHaveValue('2014')
    await expect(months).toHaveValue('3')
    expect(await accessibilityViolations(reader)).toEqual([])

    // By keyboard from the jump to the list, and into an edition.
    const link = reader.getByRole('link', { name: '10AM on March 28, 2014' })
    await reader.getByRole('link', { name: '3PM on March 29, 2014' }).focus()
    for (let press = 0; press < 2; press += 1) await reader.keyboard.press('Tab')
    await expect(reader.locator(':focus')).toBeInViewport()
    await link.focus()
    await expect(link).toBeInViewport()
    const before = await topOf(reader, '2014-03-28')
    await reader.keyboard.press('Enter')
    await reader.waitForURL(/#\/edition\/03-28-14-10AM$/)
    await expect(reader.locator('.notice')).toBeVisible()
    await reader.goBack()
    await expect(reader.locator('time[datetime="2014-03-28"]')).toBeInViewport()
    await expect
      .poll(async () => Math.abs((await topOf(reader, '2014-03-28')) - before))
      .toBeLessThanOrEqual(1)
    await reader.reload()
    await expect
      .poll(async () => Math.abs((await topOf(reader, '2014-03-28')) - before))
      .toBeLessThanOrEqual(1)

    await reader.getByRole('link', { name: 'Exit archive' }).click()
    await reader.waitForURL(/#\/home$/)
    await reader.goto('/#/archive')
    await expect.poll(() => rowInView(reader)).not.toBeNull()
    // The edition of 2014 does not exist; the browser reports that at some time after the reply.
    const others = consoleErrors.filter((text) => !text.includes('404'))
    consoleErrors.splice(0, consoleErrors.length, ...others)
  })
}
