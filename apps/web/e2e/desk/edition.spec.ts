import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { expect, test } from './desk-page.ts'
import { signInAs } from './desk-people.ts'
import { draftOf, publishAndSend } from './publish-data.ts'
import { secondPerson } from './second-person.ts'
import { picture } from './test-picture.ts'

/** Returns the violations on a wide screen, whose parts shrink at large text. */
async function violations(page: Page): Promise<string[]> {
  return [...(await violationsInLight(page)), ...(await violationsInDark(page))]
}

const textOf = (desk: Page) => desk.getByRole('textbox', { name: 'Text', exact: true })
const memos = (desk: Page) => desk.getByRole('complementary', { name: 'Memos' })
const titles = (desk: Page) => memos(desk).locator('.edition-title')

test.describe('the edition screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('shows who writes where, and their words as they are saved', async ({ desk, request, browser }) => {
    await draftOf(request, '06-01-46-3PM', ['Shared memo'], { memo_content: '<p>Before</p>' })
    await desk.goto('/desk/editions/06-01-46-3PM')
    await desk.getByLabel('Title').click()
    const mara = await secondPerson(browser, 'Mara Lind')
    await mara.goto(desk.url())

    await expect(mara.getByText(/is writing here\. You see the words as they are saved\.$/)).toBeVisible()
    await expect(mara.getByLabel('Title')).toBeDisabled()
    await expect(desk.getByRole('list', { name: 'In this memo' })).toContainText('Mara Lind')
    await expect(desk.getByRole('list', { name: 'In this edition' })).toContainText('Mara Lind')
    expect(await violations(mara)).toEqual([])
    await textOf(desk).fill('After')
    await expect(textOf(mara)).toHaveText('After')
    await mara.getByRole('button', { name: 'Write too' }).click()
    await expect(mara.getByLabel('Title')).toBeEnabled()
    await desk.goto('/desk/days/06-01-46')
    await expect(desk.getByText('Mara is in it')).toBeVisible()
    await mara.context().close()
    await expect(desk.getByText('Mara is in it')).toBeHidden()
  })

  test('takes a pasted text once its only memo is deleted, and gives it back', async ({ desk, request }) => {
    await draftOf(request, '06-06-46-3PM', ['The only one'])
    await desk.goto('/desk/editions/06-06-46-3PM')
    await expect(desk.getByLabel('Title')).toHaveValue('The only one')
    await desk.getByText('More…').click()
    await desk.getByRole('button', { name: 'Delete' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(desk.getByText('Press N, or paste a text: it becomes the first memo.')).toBeVisible()
    await desk.locator('body').evaluate((body) => {
      const clipboardData = new DataTransfer()
      const html = '<p>Ships <b style="color: red">plug in</b>.</p><img src="https://example.com/a.png">'
      clipboardData.setData('text/html', html)
      body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await expect(textOf(desk)).toHaveText('Ships plug in.')
    await expect(textOf(desk).locator('b, strong')).toHaveText('plug in')
    await expect(desk.getByText('Pasted as the first memo. Left out: 1 picture.')).toBeVisible()
    await expect(memos(desk).getByRole('listitem')).toHaveCount(1)

    await desk.getByRole('button', { name: 'Undo' }).click()

    await expect(desk.getByRole('heading', { name: /^Nothing for / })).toBeVisible()
    await expect(memos(desk).getByRole('listitem')).toHaveCount(0)
  })

  test('tells a writer to mark the memos as ready, and does it for all', async ({ page, request }) => {
    await signInAs(page.context(), 'Wanda Ready', ['writer'])
    await draftOf(request, '06-07-46-3PM', ['Ships plug in', 'A cheaper vaccine'])
    await page.goto('/desk/editions/06-07-46-3PM')
    await expect(page.getByText('· 0 of 2 memos ready')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Writers don’t publish.' })
    await expect(dialog).toContainText(/Mark the memos as ready\. .+ sees? it on Today\./)
    expect(await violations(page)).toEqual([])

    await dialog.getByRole('button', { name: 'Mark all as ready' }).click()

    await expect(dialog).toBeHidden()
    await expect(page.getByText('· 2 of 2 memos ready')).toBeVisible()
    await page.getByRole('button', { name: 'Mark all as ready…' }).click()
    await expect(dialog).toContainText('Every memo with words is marked as ready.')
  })

  test('drags, copies and deletes memos, and takes each back', async ({ desk, request }) => {
    await draftOf(request, '06-02-46-3PM', ['One', 'Two', 'Three'])
    await desk.goto('/desk/editions/06-02-46-3PM')
    await memos(desk).getByRole('link', { name: 'Three' }).click()
    await expect(desk.getByLabel('Title')).toHaveValue('Three')

    await desk.locator('.edition-grip').dragTo(memos(desk).getByRole('listitem').filter({ hasText: 'One' }), {
      targetPosition: { x: 60, y: 6 },
    })

    await expect(titles(desk)).toHaveText(['Three', 'One', 'Two'])
    await expect(desk.getByText('Three, place 1 of 3')).toBeAttached()
    await desk.keyboard.press('ControlOrMeta+z')
    await expect(titles(desk)).toHaveText(['One', 'Two', 'Three'])
    await desk.getByText('More…').click()
    await desk.getByRole('button', { name: 'Copy' }).click()
    await expect(titles(desk)).toHaveText(['One', 'Two', 'Three', 'Copy of Three'])
    // The copy is opened, and has the actions from then on.
    await expect(desk.getByLabel('Title')).toHaveValue('Copy of Three')
    await expect(desk.getByText(/^Text: \d+ parts?$/)).toBeVisible()
    await desk.getByText('More…').click()
    await desk.getByRole('button', { name: 'Delete' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(titles(desk)).toHaveText(['One', 'Two', 'Three'])
    await desk.getByRole('button', { name: 'Undo' }).click()
    await expect(titles(desk)).toHaveText(['One', 'Two', 'Three', 'Copy of Three'])
    await desk.getByRole('button', { name: 'Mark as ready' }).click()
    await desk.getByRole('button', { name: 'Undo' }).click()
    await expect(desk.getByRole('button', { name: 'Mark as ready' })).toBeVisible()
  })

  test('takes a picture with its focal point, alt text and crop', async ({ desk, request }) => {
    await draftOf(request, '06-03-46-3PM', ['With a picture'])
    await desk.goto('/desk/editions/06-03-46-3PM')
    const chooser = desk.getByLabel('Picture', { exact: true })
    await chooser.setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('no picture') })
    await expect(desk.getByText('This browser can’t read HEIC. Save it as JPEG first.')).toBeVisible()
    await chooser.setInputFiles(await picture())
    const ring = desk.getByRole('button', { name: /^Focal point/ })
    await expect(ring).toHaveAccessibleName(/^Focal point: 50% from the left, 50% from the top/)
    await ring.press('ArrowRight')
    await ring.press('ArrowUp')
    await expect(ring).toHaveAccessibleName(/^Focal point: 52% from the left, 48% from the top/)
    await desk.getByLabel(/^Alt text/).fill('A gray square')
    expect(await violations(desk)).toEqual([])
    await textOf(desk).focus()
    await expect(desk.getByText('Alt text: A gray square')).toBeVisible()
    await desk.getByRole('button', { name: 'Open', exact: true }).click()
    const file = await desk.locator('.picture-frame img').getAttribute('src')
    await desk.getByRole('button', { name: 'Crop…' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Crop', exact: true }).click()
    await expect(desk.locator('.picture-frame img')).not.toHaveAttribute('src', file ?? '')
    await expect(ring).toHaveAccessibleName(/^Focal point: 50%/)
    await desk.getByLabel('Decorative').check()
    await expect(desk.getByText(/^Saved \d+ s ago$/)).toBeVisible()
    await expect(desk.getByText('no alt text')).toBeHidden()
  })

  test('corrects a memo with a note, and withdraws and brings back another', async ({ desk, request }) => {
    const key = '06-04-46-3PM'
    await draftOf(request, key, ['The last coal train', 'A lost symphony'], {
      memo_content: '<p>A train of thirty wagons left.</p>',
    })
    await publishAndSend(request, key)
    await desk.goto(`/desk/editions/${key}`)
    await memos(desk).getByRole('link', { name: 'The last coal train' }).click()
    await textOf(desk).fill('A train of thirteen wagons left.')
    await expect(desk.getByText('This memo is public. Your changes are not.')).toBeVisible()
    await expect(desk.locator('.editor-old')).toHaveText('thirty')
    await expect(desk.locator('.editor-new')).toHaveText('thirteen')
    await desk.getByLabel(/^Note for readers/).fill('It had thirteen wagons.')
    await expect(desk.getByLabel('Show the note on the site and in the archive')).toBeChecked()
    await desk.getByLabel(/^Also send it to the \d+ members? who got the old text/).check()
    expect(await violations(desk)).toEqual([])
    await desk.getByRole('button', { name: 'Publish correction' }).click()
    await expect(desk.getByText(/^The correction is public\. It goes to \d+ members?\.$/)).toBeVisible()
    await expect(desk.getByText('This memo is public. Your changes are not.')).toBeHidden()

    await memos(desk).getByRole('link', { name: 'A lost symphony' }).click()
    await desk.getByRole('button', { name: 'Withdraw…', exact: true }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect(titles(desk)).toHaveText(['The last coal train'])
    await expect(desk.getByLabel('Title')).toHaveValue('The last coal train')
    await desk.getByRole('button', { name: 'Undo' }).click()
    await expect(titles(desk)).toHaveText(['The last coal train', 'A lost symphony'])
    await expect(desk.getByLabel('Title')).toHaveValue('A lost symphony')

    await desk.getByRole('button', { name: 'Withdraw 3PM…' }).click()
    const dialog = desk.getByRole('dialog', { name: 'Withdraw 3PM' })
    await expect(
      dialog.getByText(/^[\d,]+ members? (has|have) it in their mail\. It stays there\./),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Withdraw 3PM' }).click()
    await expect(desk.getByText('Draft', { exact: true })).toBeVisible()
  })

  test('shows its earlier orders, and restores one', async ({ desk, request }) => {
    const key = '06-05-46-3PM'
    await draftOf(request, key, ['One', 'Two', 'Three'])
    await desk.goto(`/desk/editions/${key}`)
    await expect(titles(desk)).toHaveText(['One', 'Two', 'Three'])
    const orders = desk.getByRole('dialog', { name: 'Earlier orders' })
    const more = desk.getByText('More…')
    await more.click()
    await desk.getByRole('button', { name: 'Earlier orders' }).click()
    await expect(orders.getByText('Nobody has changed the order yet.')).toBeVisible()
    await orders.getByRole('button', { name: 'Close' }).click()

    await desk.getByRole('button', { name: 'Move down' }).click()
    await expect(titles(desk)).toHaveText(['Two', 'One', 'Three'])
    await desk.getByRole('button', { name: 'Move down' }).click()
    await expect(titles(desk)).toHaveText(['Two', 'Three', 'One'])
    await desk.getByRole('button', { name: 'Add memo' }).click()
    await expect(desk.getByLabel('Title')).toHaveValue('')
    await desk.getByLabel('Title').fill('Four')
    await expect(desk.getByText(/^Saved \d+ s ago$/)).toBeVisible()

    await desk.keyboard.press('Escape')
    await desk.keyboard.press('Control+k')
    await expect(desk.getByRole('dialog', { name: 'Find or do' })).toBeVisible()
    await desk.keyboard.type('earlier orders')
    await expect(desk.getByRole('option', { name: /^Earlier orders…/ })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await desk.keyboard.press('Enter')
    // Both moves were of one sitting.
    const shown = orders.getByRole('list', { name: 'Orders' }).locator('> li')
    await expect(shown).toHaveCount(2)
    await expect(shown.first()).toContainText('The order now')
    await expect(shown.last().getByRole('heading')).toHaveText('Before the first change')
    await expect(shown.last().locator('ol > li')).toHaveText(['One', 'Two', 'Three'])
    expect(await violations(desk)).toEqual([])
    await shown.last().getByRole('button', { name: 'Restore this order' }).click()
    await expect(orders).toBeHidden()
    await expect(titles(desk)).toHaveText(['One', 'Four', 'Two', 'Three'])
    await desk.getByRole('button', { name: 'Undo' }).click()
    await expect(titles(desk)).toHaveText(['Two', 'Three', 'One', 'Four'])
  })
})
