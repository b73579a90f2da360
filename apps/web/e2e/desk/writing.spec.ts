import type { Page } from '@playwright/test'
import { accessibilityViolations, violationsInLight } from '../accessibility.ts'
import { addAuthenticator, expect, test } from './desk-page.ts'

const saves = '**/working-copy'

/** Starts an edition of an own day and adds a memo, whose words come from the test. */
async function writeMemo(desk: Page, key: string, { title, text }: { title: string; text: string }) {
  await desk.goto(`/desk/editions/${key}`)
  await desk.getByRole('button', { name: 'Start' }).click()
  await desk.getByRole('button', { name: 'Add memo' }).click()
  await desk.getByLabel('Title').fill(title)
  await textOf(desk).fill(text)
  await saved(desk)
}

const textOf = (desk: Page) => desk.getByRole('textbox', { name: 'Text', exact: true })
const saved = (desk: Page) => expect(desk.getByText(/^Saved \d+ s ago$/)).toBeVisible()

test.describe('writing an edition', () => {
  test.use({ viewport: { width: 1280, height: 900 } })

  test('adds memos, saves them, moves them by keyboard and marks them as ready', async ({ desk }) => {
    await writeMemo(desk, '05-02-41-3PM', { title: 'The first memo', text: 'Five words are in it.' })
    expect(await violationsInLight(desk)).toEqual([])
    await desk.getByRole('button', { name: 'Mark as ready' }).click()
    await saved(desk)
    await desk.getByRole('button', { name: 'Add memo' }).click()
    await expect(desk.getByLabel('Title')).toHaveValue('')
    await desk.getByLabel('Title').fill('The second memo')
    await saved(desk)

    await desk.keyboard.press('Alt+ArrowUp')

    await expect(desk.getByText('The second memo, place 1 of 2')).toBeAttached()
    const rows = desk.getByRole('complementary', { name: 'Memos' }).getByRole('listitem')
    await expect(rows).toContainText([
      /The second memo.*Writing · 0 words/,
      /The first memo.*Ready · 5 words/,
    ])
    await expect(desk.getByText('1 of 2 memos ready')).toBeVisible()
  })

  test('has no accessibility fault on a phone, in the list and in a memo', async ({ desk }) => {
    await desk.setViewportSize({ width: 390, height: 844 })
    await writeMemo(desk, '05-07-41-3PM', { title: 'On a phone', text: 'Four words of text.' })
    expect(await accessibilityViolations(desk)).toEqual([])
    await desk.getByRole('link', { name: 'All memos of 3PM' }).click()
    await expect(desk.getByRole('link', { name: 'On a phone' })).toBeVisible()
    expect(await accessibilityViolations(desk)).toEqual([])
  })

  test('keeps a word that is typed while the server is away', async ({ desk, consoleErrors }) => {
    // The browser reports each request that failed.
    consoleErrors.ignore()
    await writeMemo(desk, '05-03-41-3PM', { title: 'Away', text: 'Before' })
    await desk.route(saves, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await textOf(desk).fill('Before and after')
    await expect(desk.getByText(/^Kept on this device \d+ s ago, not saved yet$/)).toBeVisible()

    await desk.unroute(saves)

    await saved(desk)
    await desk.reload()
    await expect(textOf(desk)).toHaveText('Before and after')
  })

  test('offers words that a reload left on the device', async ({ desk, consoleErrors }) => {
    consoleErrors.ignore()
    await writeMemo(desk, '05-04-41-3PM', { title: 'Reload', text: 'Before' })
    await desk.route(saves, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await textOf(desk).fill('Before the crash')
    await expect(desk.getByText(/^Kept on this device/)).toBeVisible()
    await desk.reload()
    await expect(textOf(desk)).toHaveText('Before')
    await expect(desk.getByText('This device has words that weren’t saved.')).toBeVisible()
    await desk.unroute(saves)

    await desk.getByRole('button', { name: 'Put them back' }).click()

    await expect(textOf(desk)).toHaveText('Before the crash')
    await saved(desk)
    await desk.reload()
    await expect(textOf(desk)).toHaveText('Before the crash')
    await expect(desk.getByText('This device has words that weren’t saved.')).toBeHidden()
  })

  test('keeps the text when the session has ended', async ({ desk, consoleErrors, deskSession }) => {
    consoleErrors.ignore()
    await addAuthenticator(desk)
    await writeMemo(desk, '05-05-41-3PM', { title: 'Session', text: 'Before' })
    const { url } = { url: new URL('/desk', desk.url()).href }
    // The dialog that comes takes the keys, so the session ends after them.
    await desk.route(saves, async (route) => {
      if (route.request().method() === 'PUT') await desk.context().clearCookies({ name: 'tidings_desk' })
      await route.fallback()
    })
    await textOf(desk).fill('Typed without a session')
    const dialog = desk.getByRole('dialog', { name: 'You were signed out.' })
    await expect(dialog).toBeVisible()
    await expect(desk.getByText(/^Kept on this device/)).toBeVisible()
    await desk.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: 'Copy my text' }).click()
    await expect(dialog.getByText('Copied.')).toBeVisible()
    expect(await desk.evaluate(() => navigator.clipboard.readText())).toBe('Typed without a session')
    expect(await violationsInLight(desk)).toEqual([])

    await desk.unroute(saves)
    await desk.context().addCookies([{ ...deskSession, url, sameSite: 'Strict', httpOnly: true }])
    await desk.reload()
    await desk.getByRole('button', { name: 'Put them back' }).click()

    await expect(textOf(desk)).toHaveText('Typed without a session')
    await saved(desk)
  })

  test('merges different fields of two pages, and shows both texts of the same field', async ({
    desk,
    consoleErrors,
  }) => {
    // The browser reports the refused save.
    consoleErrors.ignore()
    await writeMemo(desk, '05-06-41-3PM', { title: 'Two pages', text: 'Before' })
    const other = await desk.context().newPage()
    await other.goto(desk.url())
    await expect(textOf(other)).toHaveText('Before')
    await textOf(desk).fill('The text of the first page')
    await saved(desk)
    await other.getByLabel('Title').fill('The title of the second page')
    await saved(other)
    await expect(textOf(other)).toHaveText('The text of the first page')

    // The words of others don’t get under a hand in the text.
    await textOf(other).focus()
    await textOf(desk).fill('Mine on the first page')
    await saved(desk)
    await textOf(other).fill('Mine on the second page')

    const both = other.getByRole('region', { name: 'Two texts' })
    await expect(both.getByRole('region')).toContainText([
      'Mine on the second page',
      'Mine on the first page',
    ])
    await expect(other.getByText('Not saved: two texts')).toBeVisible()
    await both.getByRole('button', { name: 'Keep mine' }).click()
    await saved(other)
    await other.reload()
    await expect(textOf(other)).toHaveText('Mine on the second page')
    await expect(other.getByLabel('Title')).toHaveValue('The title of the second page')
    await other.close()
  })
})
