import { accessibilityViolations } from '../accessibility.ts'
import { expect, test } from './desk-page.ts'
import { draftOf, endDelivery, publishForLater } from './publish-data.ts'

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
})
