import type { APIRequestContext, Page } from '@playwright/test'
import { editorOf } from './editor.ts'
import { expect, test } from './reader.ts'

const siteZone = 'America/Los_Angeles'

/** The day of the newest edition, which has all of its editions, and the day after, which has none. */
type Days = { last: string; next: string }

async function findDays(page: Page): Promise<Days> {
  const [newest] = await (await page.request.get('/edition/prod/get_list')).json()
  const [month, day, year] = String(newest.date).split('-').map(Number)
  const isoDate = (shift: number) =>
    new Date(Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, (day ?? 1) + shift)).toISOString().slice(0, 10)
  return { last: isoDate(0), next: isoDate(1) }
}

/** Returns the instant of a local time, such as '2026-11-20T10:00:30'. */
function instantIn(timeZone: string, localTime: string): Date {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const parts = format.formatToParts(new Date(`${localTime}Z`))
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? ''
  return new Date(`${localTime}${offset === '' ? 'Z' : offset}`)
}

/** Returns how the masthead writes a day. */
function named(isoDate: string): string {
  const options = { month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Date(isoDate).toLocaleDateString('en-US', options)
}

function keyOf(isoDate: string, slot: string): string {
  return `${isoDate.slice(5)}-${isoDate.slice(2, 4)}-${slot}`
}

/** Opens /home at an instant, from which the page's clock runs on. */
async function openHome(page: Page, time: Date): Promise<void> {
  await page.clock.install({ time })
  await page.goto('/#/home')
  await expect(page.locator('.memo').first()).toBeVisible()
}

async function expectDay(page: Page, isoDate: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    new RegExp(`^${named(isoDate)}(, \\d{4})?$`),
  )
  await expect(page.locator('.memo').first()).toBeVisible()
}

async function expectEnd(page: Page, sentence: string): Promise<void> {
  await expect(page.locator('.end-line')).toHaveText(new RegExp(`^${sentence}$`))
}

async function publish(request: APIRequestContext, isoDate: string, slot: string) {
  const key = keyOf(isoDate, slot)
  await editorOf(request).publishAs(key, ['The morning after'])
  return { withdraw: () => editorOf(request).withdraw(key) }
}

for (const { zone, time, there } of [
  { zone: 'Asia/Tokyo', time: '09:00:00', there: String.raw`\d+:00\sAM tomorrow` },
  { zone: 'Europe/London', time: '08:00:00', there: String.raw`\d+:00\sPM` },
  { zone: 'America/New_York', time: '00:30:00', there: String.raw`1:00\sPM` },
]) {
  test.describe(`a reader in ${zone}`, () => {
    test.use({ timezoneId: zone })
    test('sees the newest edition under its own date, and both clocks', async ({ reader }) => {
      const { last, next } = await findDays(reader)
      await openHome(reader, instantIn(zone, `${next}T${time}`))
      await expectDay(reader, last)
      await expect(reader.getByRole('link', { name: '8PM' })).toHaveAttribute('aria-current', 'true')
      await expectEnd(
        reader,
        String.raw`That was ${named(last)}(, \d{4})?\. The next one arrives at 10AM in Los Angeles, ${there} where you are\.`,
      )
    })
  })
}

test.describe('a reader where the site’s editors live', () => {
  test('sees yesterday’s evening at 8, and reads at 10:00:30 that the edition is late', async ({
    reader,
    consoleErrors,
  }) => {
    const { last, next } = await findDays(reader)
    await openHome(reader, instantIn(siteZone, `${next}T08:00:00`))
    await expectDay(reader, last)
    await expectEnd(reader, String.raw`That was ${named(last)}(, \d{4})?\. The next one arrives at 10AM\.`)
    await reader.clock.fastForward('02:00:30')
    await expectEnd(reader, String.raw`That was ${named(last)}(, \d{4})?\. The 10AM edition is late\.`)
    await expectDay(reader, last)

    await reader.goto(`/#/edition/${keyOf(next, '10AM')}`)
    await expect(reader.getByText('The 10AM edition is late.')).toBeVisible()
    await reader.goto(`/#/edition/${keyOf(next, '3PM')}`)
    await expect(reader.getByText('The 3PM edition arrives at three.')).toBeVisible()
    await reader.getByRole('link', { name: /^Read the latest/ }).click()
    await expectDay(reader, last)
    // The browser logs the two 404s.
    consoleErrors.ignore()
  })

  test('keeps what they read at midnight and after waking up, and is offered the new edition', async ({
    reader,
    request,
    consoleErrors,
  }) => {
    const { last, next } = await findDays(reader)
    await openHome(reader, instantIn(siteZone, `${last}T23:58:00`))
    await expectEnd(reader, String.raw`That is today\. Good night\.`)
    const title = reader.locator('.memo').first().getByRole('button').first()
    await title.click()
    await expect(title).toHaveAttribute('aria-expanded', 'true')

    await reader.clock.fastForward('05:00')
    await expectEnd(reader, String.raw`That was ${named(last)}(, \d{4})?\. The next one arrives at 10AM\.`)
    await expectDay(reader, last)

    // Asleep: without a connection and without timers, until the reader looks at the page again.
    await reader.context().setOffline(true)
    const edition = await publish(request, next, '10AM')
    await reader.clock.setSystemTime(instantIn(siteZone, `${next}T10:05:00`))
    await reader.context().setOffline(false)
    await reader.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    try {
      await expect(reader.getByRole('button', { name: 'The 10AM edition is here' })).toBeVisible()
      await expectDay(reader, last)
      await expect(title).toHaveAttribute('aria-expanded', 'true')
      await expect(reader.locator('.end-line').getByRole('link')).toHaveText('The 10AM edition is here.')

      await reader.getByRole('heading', { level: 1 }).getByRole('link').click()
      await expectDay(reader, next)
      await expect(reader.getByRole('button', { name: 'The morning after' })).toBeVisible()
      await expectEnd(reader, String.raw`That is the 10AM edition\. The next one arrives at 3PM\.`)
      await expect(reader.getByRole('button', { name: /edition is here/ })).toBeHidden()
    } finally {
      await edition.withdraw()
    }
    // The browser logs the socket that the sleep closed.
    consoleErrors.ignore()
  })
})
