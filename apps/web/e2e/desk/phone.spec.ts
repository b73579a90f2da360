import { accessibilityViolations } from '../accessibility.ts'
import { editorOf } from '../editor.ts'
import { expect, test } from './desk-page.ts'
import { query } from './desk-people.ts'
import { draftOf, endDelivery, publishAndSend, publishForLater } from './publish-data.ts'
import { reportedComments } from './reported-comments.ts'
import { saved, textOf } from './written-memo.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

test.describe('the desk on a phone', () => {
  test('has the screens at the lower edge, and finds with a thumb', async ({ desk }) => {
    await desk.goto('/desk/days/02-07-48')
    const row = desk.getByRole('navigation', { name: 'Screens' })
    await expect(row.getByRole('link', { name: 'Today' })).toBeVisible()
    expect(await accessibilityViolations(desk)).toEqual([])

    await row.getByRole('button', { name: 'More' }).click()
    await desk.getByRole('dialog', { name: 'More screens' }).getByRole('link', { name: 'People' }).click()
    await expect(desk.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
    await row.getByRole('button', { name: 'Find' }).click()
    await desk.getByRole('combobox').fill('archi')
    await desk.getByRole('option', { name: /^Archive/ }).click()
    await expect(desk.getByRole('heading', { level: 1, name: 'Archive' })).toBeVisible()
  })

  test('publishes, counts down over the whole screen, and stops', async ({ desk, request }) => {
    const key = '02-08-48-3PM'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto('/desk/days/02-08-48')
    const slot = desk.getByRole('region', { name: '3PM', exact: true })
    await slot.getByRole('button', { name: 'Schedule…' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Now' }).check()
    await expect(dialog.getByRole('button', { name: 'Publish now' })).toBeEnabled()
    expect(await accessibilityViolations(desk)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await publishForLater(request, key)

    await desk.goto(`/desk/editions/${key}/delivery`)

    const countdown = desk.getByRole('region', { name: 'Countdown of 3PM' })
    await expect(countdown.getByRole('heading')).toContainText(/minutes until it goes to \d+ members?/)
    expect(await accessibilityViolations(desk)).toEqual([])
    await countdown.getByRole('button', { name: 'Stop. Send nothing yet' }).click()
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Stopped')
    await expect(desk.getByRole('button', { name: 'Resume' })).toBeVisible()
    await endDelivery(key)
  })

  test('shows a held edition above the editions of the day', async ({ desk, request }) => {
    const key = '02-13-48-3PM'
    await draftOf(request, key, ['Ships plug in'])
    const become = (status: string, reason: string | null) =>
      query(
        `UPDATE edition SET status = $2, held_reason = $3 WHERE to_char(date, 'MM-DD-YY-') || slot = $1`,
        [key, status, reason],
      )
    await become('held', 'It missed its time.')
    await desk.goto('/desk/days/02-13-48')
    const urgent = desk.getByRole('region', { name: 'Urgent' })
    const decide = urgent.getByRole('link', { name: /^Decide: .*3PM.* was held/ })
    await expect(decide).toBeVisible()
    const slot = desk.getByRole('region', { name: '10AM', exact: true })
    await expect(slot).toBeVisible()
    expect(await accessibilityViolations(desk)).toEqual([])
    const [above, below] = [await decide.boundingBox(), await slot.boundingBox()]
    expect(above?.y).toBeLessThan(below?.y ?? 0)
    await expect(desk.getByRole('region', { name: 'Needs you' }).getByText('was held')).toHaveCount(0)
    await become('draft', null)
  })

  test('publishes now, with the members by method in sight', async ({ desk, request }) => {
    const key = '02-09-48-3PM'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto('/desk/days/02-09-48')
    const slot = desk.getByRole('region', { name: '3PM', exact: true })
    await slot.getByRole('button', { name: 'Schedule…' }).tap()
    const dialog = desk.getByRole('dialog')
    await expect(dialog).toContainText('Draft · 0 of 1 memo ready')
    await dialog.getByRole('radio', { name: 'Now' }).check()
    await dialog.getByLabel('Send it to members').check()
    await expect(dialog.getByRole('rowheader', { name: 'Together' })).toBeVisible()

    await dialog.getByRole('button', { name: 'Publish now' }).tap()

    await expect(dialog).toBeHidden()
    await expect(slot).toContainText(/Published|Delivered/)
  })

  test('corrects a public memo with a note, which goes to those who have it', async ({ desk, request }) => {
    const key = '02-10-48-3PM'
    await draftOf(request, key, ['The last coal train', 'A lost symphony'], {
      memo_content: '<p>A train of thirty wagons left.</p>',
    })
    await publishAndSend(request, key)
    await desk.goto(`/desk/editions/${key}`)
    await desk.getByRole('link', { name: 'The last coal train' }).tap()
    await textOf(desk).fill('A train of thirteen wagons left.')
    await expect(desk.getByText('This memo is public. Your changes are not.')).toBeVisible()
    await desk.getByLabel(/^Note for readers/).fill('It had thirteen wagons.')
    await desk.getByLabel(/^Also send it to the \d+ members? who got the old text/).check()
    await saved(desk)
    expect(await accessibilityViolations(desk)).toEqual([])

    await desk.getByRole('button', { name: 'Publish correction' }).tap()

    await expect(desk.getByText(/^The correction is public\. It goes to \d+ members?\.$/)).toBeVisible()
    await expect(desk.getByText('This memo is public. Your changes are not.')).toBeHidden()
    const [memo] = await editorOf(request).memosOf(key)
    expect(memo).toMatchObject({
      memo_content: '<p>A train of thirteen wagons left.</p>',
      note: 'It had thirteen wagons.',
    })
  })

  test('hides and keeps comments, and takes it back', async ({ desk, request }) => {
    const edition = await editorOf(request).publish(['Harbour opens'])
    const [one, two] = [`Hidden by thumb below ${edition}`, `Kept by thumb below ${edition}`]
    await reportedComments(request, edition, [one, two])
    await desk.goto('/desk/comments')
    // The next comment opens, and where it stands has the others too.
    const opener = (content: string) => desk.getByRole('button', { name: content, exact: true })
    const row = (content: string) => desk.getByRole('listitem').filter({ has: opener(content) })
    await opener(one).tap()
    await row(one).getByRole('button', { name: 'Hide', exact: true }).tap()
    await expect(desk.getByText('Hidden: 1 comment.')).toBeVisible()
    await expect(row(one)).toHaveCount(0)

    await desk.getByRole('button', { name: 'Undo' }).tap()

    await expect(row(one)).toHaveCount(1)
    await opener(two).tap()
    await row(two).getByRole('button', { name: 'Keep', exact: true }).tap()
    await expect(desk.getByText('Kept: 1 comment.')).toBeVisible()
    await expect(row(two)).toHaveCount(0)
    await expect(row(one)).toHaveCount(1)
    expect(await accessibilityViolations(desk)).toEqual([])
  })

  test('stops a delivery that is waiting, and sends it after all', async ({ desk, request }) => {
    const key = '02-11-48-3PM'
    await draftOf(request, key, ['Stop me by thumb'])
    await publishForLater(request, key)
    await desk.goto('/desk')
    const strip = desk.getByRole('region', { name: /^Delivery of 3PM/ })
    await strip.getByRole('button', { name: 'Stop. Send nothing yet' }).tap()
    await expect(strip.getByText('Stopped. 3PM stays on the site; nothing was sent.').first()).toBeVisible()

    await desk.goto(`/desk/editions/${key}/delivery`)
    await desk.getByRole('button', { name: 'Resume' }).tap()

    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Delivered')
  })

  test('shows the dialogs of an edition while a memo is written', async ({ desk, request }) => {
    const key = '02-12-48-3PM'
    await draftOf(request, key, ['Ships plug in'])
    await desk.goto(`/desk/editions/${key}`)
    await desk.getByRole('link', { name: 'Ships plug in' }).tap()
    await expect(textOf(desk)).toBeVisible()
    await desk.getByRole('button', { name: 'Preview', exact: true }).tap()
    for (const [command, title] of [
      ['Schedule or publish…', /^Schedule 3PM/],
      ['Earlier orders…', 'Earlier orders'],
    ] as const) {
      await desk.getByRole('button', { name: 'Find', exact: true }).tap()
      await desk.keyboard.type(command)
      await desk.getByRole('option', { name: new RegExp(`^${command}`) }).tap()
      await expect(desk.getByRole('dialog', { name: title })).toBeVisible()
      await desk.keyboard.press('Escape')
      await expect(desk.getByRole('dialog')).toHaveCount(0)
    }
  })
})
