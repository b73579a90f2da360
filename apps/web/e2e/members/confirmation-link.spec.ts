import type { Page } from '@playwright/test'
import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { about, mailsTo, mailTo } from '../membership/inbox.ts'
import { createAccount, expect, logIn, memberOf, openSession, password, test } from './member.ts'

const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm', exact: true })
const passwordField = (page: Page) => page.getByLabel('Your password', { exact: true })
const unconfirmed = (page: Page) => page.getByRole('region', { name: 'Confirm your address' })
const done = 'Your email address is confirmed'

/** Returns the path of the link in the newest verification email. */
async function linkTo(email: string): Promise<string> {
  const { text } = await mailTo(email, about.verification)
  const { pathname, search } = new URL(/^https?:.*$/m.exec(text)?.[0] ?? 'none')
  return pathname + search
}

test.describe('the link of a verification email', () => {
  test('confirms with a button where the member is logged in, and other tabs learn of it', async ({
    reader,
  }) => {
    const email = await createAccount(reader)
    await logIn(reader, email)
    await expect(unconfirmed(reader)).toBeVisible()
    const link = await reader.context().newPage()
    await link.goto(await linkTo(email))
    await expect(confirm(link)).toBeVisible()
    await expect(passwordField(link)).toBeHidden()
    await expectAccessiblePage(link, 'Confirm your email address')
    await expect(unconfirmed(reader)).toBeVisible()

    // The site's name comes first.
    await link.keyboard.press('Tab')
    await link.keyboard.press('Tab')
    await expect(confirm(link)).toBeFocused()
    await link.keyboard.press('Enter')
    await expectAccessiblePage(link, done)
    await expect(unconfirmed(reader)).toBeHidden({ timeout: 1_000 })
    expect(await memberOf(reader)).toMatchObject({ verified: true, auth: { hasPassword: true } })
    expect((await mailsTo(email)).filter(({ text }) => text.includes('secured'))).toEqual([])

    await link.reload()
    await expectAccessiblePage(link, 'Your email address is already confirmed')
    await link.getByRole('link', { name: 'Continue' }).click()
    await link.waitForURL(/#\/account\/dashboard$/)
    await expect(link.getByRole('heading', { level: 1, name: 'Subscription options' })).toBeVisible()
  })

  test('finds the session when the stored member has another address', async ({ reader }) => {
    const email = await createAccount(reader)
    await openSession(reader, email)
    await reader.goto(await linkTo(email))
    await expect(passwordField(reader)).toBeHidden()
    await confirm(reader).click()
    await expectAccessiblePage(reader, done)
  })

  test('asks for the password where another member is logged in', async ({ reader, consoleErrors }) => {
    const email = await createAccount(reader)
    await openSession(reader, await createAccount(reader))
    await reader.goto(await linkTo(email))
    await expectAccessiblePage(reader, 'Confirm your email address')
    await passwordField(reader).fill('not the password')
    await confirm(reader).click()
    await expect(passwordField(reader)).toBeFocused()
    await expect(passwordField(reader)).toHaveAccessibleDescription(/incorrect/)
    await expectAccessiblePage(reader, 'Confirm your email address')
    await passwordField(reader).fill(password)
    await reader.getByRole('button', { name: 'Show password' }).click()
    await expect(passwordField(reader)).toHaveAttribute('type', 'text')
    await passwordField(reader).press('Enter')
    await expectAccessiblePage(reader, done)
    consoleErrors.ignore()
  })

  test('sets a new password without the old one, and leads to the login with the address', async ({
    reader,
  }) => {
    const email = await createAccount(reader)
    await reader.goto(await linkTo(email))
    await reader.getByText('I don’t know this password').click()
    await expectAccessiblePage(reader, 'Confirm your email address')
    await reader.getByLabel('New password', { exact: true }).fill('another password')
    await reader.keyboard.press('Enter')
    await expectAccessiblePage(reader, done)
    await reader.getByRole('link', { name: 'Log in' }).click()
    await expect(reader.getByLabel('Email')).toHaveValue(email)
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('confirms with the password', async ({ page }) => {
      const email = await createAccount(page)
      await page.goto(await linkTo(email))
      await passwordField(page).fill(password)
      await confirm(page).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(done)
    })
  })
})
