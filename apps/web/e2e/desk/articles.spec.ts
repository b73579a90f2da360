import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { secondPerson } from './second-person.ts'
import { picture } from './test-picture.ts'

test.use({ viewport: { width: 1440, height: 900 } })

const textOf = (desk: Page) => desk.getByRole('textbox', { name: 'Text', exact: true })
const saved = (desk: Page) => expect(desk.getByText(/^Saved \d+ s ago(, not public)?$/)).toBeVisible()

async function expectNoFaults(desk: Page): Promise<void> {
  expect([...(await violationsInLight(desk)), ...(await violationsInDark(desk))]).toEqual([])
}

test('an article is written for some readers, previewed, published, corrected, restored and withdrawn', async ({
  desk,
  browser,
  consoleErrors,
}) => {
  const previews: string[] = []
  desk.on('response', (response) => {
    if (response.url().endsWith('/preview/article')) void response.text().then((text) => previews.push(text))
  })
  await desk.goto('/desk/articles')
  await desk.getByRole('button', { name: 'New article' }).click()
  await expect(desk.getByLabel('Title')).toBeFocused()
  await desk.keyboard.type('Wombats at night')
  await textOf(desk).fill('Wombats dig under the harbour wall.')
  await saved(desk)

  await desk.getByRole('radio', { name: 'Members with one of these plans' }).check()
  await desk.getByRole('checkbox', { name: /^Yearly/ }).check()
  await expect(desk.getByText(/^\d+ today$/)).toBeVisible()
  const row = desk.getByRole('complementary', { name: 'Articles' }).getByRole('listitem')
  await expect(row.filter({ hasText: 'Wombats at night' })).toContainText('Draft')
  await saved(desk)

  const mara = await secondPerson(browser, 'Mara Lind')
  await mara.goto(desk.url())
  await expect(mara.getByText(/is writing here\. You see the words as they are saved\.$/)).toBeVisible()
  await expect(mara.getByLabel('Title')).toBeDisabled()
  await expect(desk.getByRole('list', { name: 'Here now' })).toContainText('Mara Lind')
  await expect(row.getByRole('list', { name: 'In this article' })).toContainText('Mara Lind')
  await mara.getByRole('button', { name: 'Write too' }).click()
  await expect(mara.getByLabel('Title')).toBeEnabled()
  await mara.context().close()
  await expect(desk.getByRole('list', { name: 'Here now' })).toBeHidden()

  const network = await desk.context().newCDPSession(desk)
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(150_000)
  await desk.getByLabel('Picture', { exact: true }).setInputFiles(await picture('noise'))
  await expect(desk.getByRole('progressbar', { name: 'Uploading the picture' })).toHaveText(
    /^Uploading, \d+ %$/,
  )
  await throttle(-1)
  const ring = desk.getByRole('button', { name: /^Focal point: 50%/ })
  await ring.press('ArrowLeft')
  await expect(desk.getByRole('button', { name: /^Focal point: 48% from the left/ })).toBeFocused()
  const file = await desk.locator('.picture-frame img').getAttribute('src')
  await desk.getByRole('button', { name: 'Crop…' }).click()
  await expectNoFaults(desk)
  await desk.getByRole('dialog').getByRole('button', { name: 'Crop', exact: true }).click()
  await expect(desk.locator('.picture-frame img')).not.toHaveAttribute('src', file ?? '')
  await desk.getByRole('button', { name: 'Remove', exact: true }).click()

  const preview = desk.getByRole('complementary', { name: 'Preview' })
  previews.length = 0
  for (const [reader, wall] of [
    ['Visitor', 'This article is for members.'],
    ['Free member', 'This article comes with the Yearly plan.'],
    ['Monthly', 'You have the Monthly plan.'],
  ] as const) {
    await preview.getByRole('button', { name: reader }).click()
    await expect(preview.getByText(wall)).toBeVisible()
    await expect(preview.getByText('Not a word of the text is sent to this reader.')).toBeVisible()
    await expect(preview).not.toContainText('harbour wall')
  }
  expect(previews.join()).not.toContain('harbour wall')
  await preview.getByRole('button', { name: 'Yearly' }).click()
  await expect(preview).toContainText('Wombats dig under the harbour wall.')
  await expectNoFaults(desk)

  await desk.getByRole('button', { name: 'Publish…' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(row.filter({ hasText: 'Wombats at night' })).toContainText('Published · Yearly')
  await expect(desk.getByRole('dialog')).toBeHidden()

  await textOf(desk).fill('Wombats dig under the old wall.')
  await expect(desk.getByText('This article is public. Your changes are not.')).toBeVisible()
  await saved(desk)
  await expectNoFaults(desk)
  await desk.getByRole('button', { name: 'Publish correction' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Publish correction' }).click()
  await expect(desk.getByText('Your changes are not.')).toBeHidden()

  await desk.getByRole('link', { name: 'Versions' }).click()
  const list = desk.getByRole('complementary', { name: 'Versions' })
  await expect(list.getByText('Public now')).toBeVisible()
  await list
    .getByRole('button', { name: /published/ })
    .last()
    .click()
  const version = desk.getByRole('region', { name: 'Version' })
  await expect(version.locator('del')).toHaveText(['harbour'])
  await expect(version.locator('ins')).toHaveText(['old'])
  await expectNoFaults(desk)
  await version.getByRole('button', { name: 'Restore this version' }).click()
  await expect(version.getByText('Restored. Nothing is public or sent.')).toBeVisible()
  await expect(list.getByText('restored an earlier version')).toBeVisible()

  await desk.keyboard.press('Escape')
  await expect(textOf(desk)).toHaveText('Wombats dig under the harbour wall.')
  await expect(desk.getByText('This article is public. Your changes are not.')).toBeVisible()
  await desk.getByRole('button', { name: 'Discard' }).click()
  await expect(textOf(desk)).toHaveText('Wombats dig under the old wall.')
  await desk.getByRole('button', { name: 'Withdraw…' }).click()
  await expect(desk.getByRole('dialog')).toContainText('don’t find it anymore')
  await desk.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(row.filter({ hasText: 'Wombats at night' })).toContainText('Draft')

  // The browser reports that the deleted article isn't there, when an event reads it again.
  expect([...consoleErrors]).toEqual([])
  consoleErrors.ignore()
  await desk.getByRole('button', { name: 'Delete…' }).click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row.filter({ hasText: 'Wombats at night' })).toHaveCount(0)
})

test('the articles are found by their words and status, also on a phone', async ({ desk }) => {
  await desk.setViewportSize({ width: 390, height: 844 })
  await desk.goto('/desk/articles')
  await expect(desk.getByRole('heading', { level: 1, name: 'Articles' })).toBeVisible()
  await expectNoFaults(desk)
  await desk.getByLabel('Search the articles').fill('no such words anywhere')
  await expect(desk.getByText('No article is like that.')).toBeVisible()
  await desk.getByLabel('Search the articles').fill('')
  await desk.getByRole('link', { name: 'Published', exact: true }).click()
  await expect(desk).toHaveURL(/status=published/)

  await desk.getByRole('complementary', { name: 'Articles' }).getByRole('listitem').last().click()
  await expect(textOf(desk)).toBeVisible()
  await expectNoFaults(desk)
  await desk.getByRole('button', { name: 'Preview' }).click()
  await expect(desk.getByText('This article is for members.')).toBeVisible()
  await expectNoFaults(desk)
})

test('the versions of a memo are compared, also with each other, and restored by keyboard', async ({
  desk,
  request,
}) => {
  const key = '03-20-42-3PM'
  await editorOf(request).publishAs(key, ['Numbats'])
  await desk.goto(`/desk/editions/${key}`)
  await textOf(desk).fill('Numbats eat termites by day.')
  await saved(desk)
  await desk.locator('h1').first().focus()
  await textOf(desk).blur()

  await desk.keyboard.press('v')

  const list = desk.getByRole('complementary', { name: 'Versions' })
  await expect(list.getByText('Written now, not public')).toBeVisible()
  await expect(list.locator('[aria-current]')).toContainText('published')
  await expect(list.locator('[aria-current]')).toBeFocused()
  const version = desk.getByRole('region', { name: 'Version' })
  await expect(version.locator('ins').first()).toContainText('eat')
  await version.getByLabel('with').selectOption({ index: 1 })
  await expect(version.locator('ins').first()).toContainText('eat')
  await version.getByRole('button', { name: 'Side by side' }).click()
  await expect(version.getByRole('region', { name: 'The later text' })).toContainText('Numbats eat')
  await expectNoFaults(desk)
  await desk.keyboard.press('k')
  await expect(list.locator('[aria-current]')).toContainText('of writing')
  await expect(version.getByText('Both texts are the same.')).toBeVisible()
  await desk.keyboard.press('j')
  await version.getByRole('button', { name: 'Restore this version' }).click()
  await expect(version.getByText('Restored. Nothing is public or sent.')).toBeVisible()

  await desk.keyboard.press('Escape')

  await expect(textOf(desk)).not.toContainText('Numbats eat')
})
