import { accessibilityViolations } from '../accessibility.ts'
import { addAuthenticator, expect, test } from './desk-page.ts'
import { draftOf } from './publish-data.ts'

test.describe('the day at the desk', () => {
  test('shows the slots of another day, starts a draft, and has no accessibility fault', async ({ desk }) => {
    await desk.goto('/desk/days/06-03-39')
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Friday, June 3')
    const slot = desk.getByRole('region', { name: '3PM' })
    await expect(slot.getByRole('heading')).toHaveText('Nothing yet')
    expect(await accessibilityViolations(desk)).toEqual([])

    await slot.getByRole('button', { name: 'Start' }).click()

    await expect(desk).toHaveURL(/\/desk\/editions\/06-03-39-3PM$/)
    await desk.goto('/desk/days/06-03-39')
    await expect(slot.getByRole('heading')).toHaveText('No memos yet')
    await expect(slot.getByText('Draft')).toBeVisible()
    await desk.getByRole('link', { name: 'Saturday ›' }).click()
    await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Saturday, June 4')
  })

  test('shows tomorrow and the week ahead, by keyboard, and starts tomorrow’s edition', async ({
    desk,
    request,
  }) => {
    await draftOf(request, '06-10-39-10AM', ['Pandas'])
    await draftOf(request, '06-14-39-3PM', [])
    await desk.clock.setFixedTime('2039-06-09T19:00:00Z')
    await desk.goto('/desk')
    const tomorrow = desk.getByRole('region', { name: 'Tomorrow' })
    await expect(tomorrow.getByText('Draft, 0 of 1 memo ready')).toBeVisible()
    await expect(tomorrow.getByText('Nothing yet')).toHaveCount(2)

    await tomorrow.getByRole('button', { name: 'Start tomorrow’s 8PM' }).focus()
    await desk.keyboard.press('Tab')
    await desk.keyboard.press('Enter')

    const week = tomorrow.getByRole('list', { name: 'The week ahead' })
    await expect(week.getByRole('link')).toHaveCount(6)
    await expect(week.getByRole('listitem').filter({ hasText: 'Tuesday, June 14' })).toContainText(
      '3PM Draft, no memos yet',
    )
    expect(await accessibilityViolations(desk)).toEqual([])
    await tomorrow.getByRole('button', { name: 'Start tomorrow’s 8PM' }).press('Enter')
    await expect(desk).toHaveURL(/\/desk\/editions\/06-10-39-8PM$/)
  })

  test('asks to sign in again over the screen when the session has ended', async ({
    desk,
    consoleErrors,
  }) => {
    // The browser reports each refused request.
    consoleErrors.ignore()
    await addAuthenticator(desk)
    await desk.goto('/desk/you')
    await expect(desk.getByLabel('Your name')).toBeVisible()
    await desk.getByLabel('Your name').fill('Not saved yet')
    await desk.context().clearCookies({ name: 'tidings_desk' })

    // Another request may have opened the dialog already, which would catch a click.
    await desk.getByRole('button', { name: 'Save', includeHidden: true }).dispatchEvent('click')

    await expect(desk.getByRole('dialog', { name: 'You were signed out.' })).toBeVisible()
    await expect(desk.getByLabel('Your name')).toHaveValue('Not saved yet')
  })
})
