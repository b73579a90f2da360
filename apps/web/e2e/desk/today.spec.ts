import { accessibilityViolations } from '../accessibility.ts'
import { addAuthenticator, expect, test } from './desk-page.ts'

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

  test('asks to sign in again over the screen when the session has ended', async ({
    desk,
    consoleErrors,
  }) => {
    // The browser reports each refused request.
    consoleErrors.ignore()
    await addAuthenticator(desk)
    await desk.goto('/desk/you')
    await expect(desk.getByRole('heading', { level: 1 })).toBeVisible()
    await desk.getByLabel('Your name').fill('Not saved yet')
    await desk.context().clearCookies({ name: 'tidings_desk' })

    // Another request may have opened the dialog already, which would catch a click.
    await desk.getByRole('button', { name: 'Save', includeHidden: true }).dispatchEvent('click')

    await expect(desk.getByRole('dialog', { name: 'You were signed out.' })).toBeVisible()
    await expect(desk.getByLabel('Your name')).toHaveValue('Not saved yet')
  })
})
