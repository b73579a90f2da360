import type { Page } from '@playwright/test'
import { accessibilityViolations } from '../accessibility.ts'
import { createAccount, expect, openSession, otherDevice, password, test } from '../members/member.ts'
import { freshAddress } from '../membership/guest.ts'
import { openScreen } from '../reader.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { createDialog } from './dialog.ts'

/** Returns the path of an article that every member may read, and of one that needs a plan. */
async function articlePaths(page: Page, session: string) {
  const headers = { 'X-API-Key': siteUnderTest.publicKey(), authorization: `Bearer ${session}` }
  const list = '/edition/prod/get_gated_list'
  const { data }: { data: { _id: string }[] } = await (await page.request.get(list, { headers })).json()
  const articles = await Promise.all(
    data.map(async ({ _id }) => ({
      path: `/#/viewgated/${_id}`,
      status: (await page.request.get(`${list}/${_id}`, { headers })).status(),
    })),
  )
  const pathWith = (wanted: number) => articles.find(({ status }) => status === wanted)?.path ?? ''
  return { open: pathWith(200), needsPlan: pathWith(403) }
}

test.describe('the dialogs on our own site', () => {
  test('let a visitor at a wall sign up and log in without leaving the article', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await createAccount(reader)
    const { open, needsPlan } = await articlePaths(reader, await otherDevice(reader, email))
    const { dialog, field } = createDialog(reader)
    await reader.goto(needsPlan)
    const signUp = reader.getByRole('link', { name: 'Sign up' })
    await signUp.click()
    await expect(dialog).toHaveAccessibleName('Create an account')
    await expect(dialog).toHaveCSS('font-family', /Figtree/)
    expect(await accessibilityViolations(reader)).toEqual([])
    await reader.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(signUp).toBeFocused()
    await expect(signUp).toHaveAttribute('href', '/#/account/signup')

    await reader.keyboard.press('Enter')
    await field('Name').fill('Ada Reader')
    await field('Email address').fill(freshAddress())
    await field('Password').fill(password)
    await reader.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(reader.getByRole('button', { name: 'Get the Yearly plan' })).toBeVisible()
    await reader.evaluate(() => Reflect.get(window, '$membership').logout())
    await expect(signUp).toBeVisible()

    await openScreen(reader, open)
    await reader.getByRole('link', { name: 'Log in' }).click()
    await field('Email address').fill(email)
    await field('Password').fill(password)
    await reader.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(reader.locator('.gated-article > article .prose')).toBeVisible()
    await expect(reader.getByRole('main')).toBeFocused()
    expect(reader.url()).toContain(open)
    // The browser logs the closed article, and requests that were under way at the logout.
    consoleErrors.ignore()
  })

  test('show a member the profile, whose changes the dashboard follows', async ({ reader }) => {
    await openSession(reader, await createAccount(reader))
    const { dialog, field, button, open, outcome, hide } = createDialog(reader)
    await reader.goto('/#/account/dashboard')
    const profile = reader.getByRole('button', { name: 'Profile' })
    await profile.click()
    await expect(dialog).toHaveAccessibleName('My Profile')
    await expect(field('Name')).toHaveCount(0)
    await expect(button('Logout')).toHaveCount(0)
    const image = { name: 'ada.png', mimeType: 'image/png', buffer: await reader.screenshot() }
    await dialog.locator('input[type=file]').setInputFiles(image)
    await expect(dialog.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible()
    expect(await accessibilityViolations(reader)).toEqual([])
    await reader.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(profile).toBeFocused()
    await expect(profile.locator('img')).toBeVisible()

    await open('PROFILE')
    await expect(dialog).toBeVisible()
    await hide()
    await outcome('CLOSED')
    await open('PROFILE')
    await button('Logout').click()
    await outcome('LOGOUT')
    await expect(dialog).toHaveCount(0)
    await expect(reader).toHaveURL(/#\/home$/)
  })

  test('lead to the screen while their code is missing, and open afterwards', async ({
    reader,
    consoleErrors,
  }) => {
    const { open } = await articlePaths(reader, await otherDevice(reader, await createAccount(reader)))
    await reader.route('**/static/js/open-dialog-*', (route) => route.abort())
    await reader.goto(open)
    await reader.getByRole('link', { name: 'Log in' }).click()
    await expect(reader).toHaveURL(/#\/account\/login/)
    await expect(reader.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
    await reader.unroute('**/static/js/open-dialog-*')
    await reader.goBack()
    await reader.getByRole('link', { name: 'Log in' }).click()
    await expect(reader.getByRole('dialog')).toHaveAccessibleName('Login to your account')
    consoleErrors.ignore()
  })
})
