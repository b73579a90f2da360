import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { memberExportReply } from '@tidings/contracts/membership/members'
import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { failCard, payWith } from '../membership/checkout.ts'
import { openScreen } from '../reader.ts'
import {
  createAccount,
  expect,
  expectCheckout,
  expectWelcome,
  fillLogin,
  logIn,
  memberOf,
  otherDevice,
  password,
  putStepsOff,
  submit,
  test,
} from './member.ts'

const switchOf = (page: Page, name: string) => page.getByRole('switch', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Logs in, pays for the monthly plan and waits for it on the dashboard. */
async function subscribe(page: Page): Promise<string> {
  const email = await createAccount(page)
  await page.goto('/#/account/login')
  await fillLogin(page, email)
  await expectCheckout(page)
  await payWith(page, 'Pays')
  await putStepsOff(page)
  await expect(page).toHaveURL(/#\/account\/dashboard$/)
  return email
}

test.describe('the dashboard', () => {
  test('keeps details and delivery methods, also those that can’t be saved, and works by keyboard', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await createAccount(reader)
    await logIn(reader, email)
    await expectAccessiblePage(reader, 'Subscription options')
    const links = reader.getByRole('navigation', { name: 'Elsewhere' }).locator('a, button')
    const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
    expect([tops.length, new Set(tops).size]).toEqual([4, 1])
    await switchOf(reader, 'Memo by SMS').check()
    await submit(reader)
    await expect(reader.getByText('Please check value to update')).toBeVisible()
    await expect(reader.getByLabel('Name')).toBeFocused()
    await expectAccessiblePage(reader, 'Subscription options')

    await reader.keyboard.type('Ada Reader')
    await reader.getByLabel('Phone number').fill('213 373 4253')
    await switchOf(reader, 'Evening digest').focus()
    await reader.keyboard.press('Space')
    await expect(switchOf(reader, 'Memo by SMS')).not.toBeChecked()
    await switchOf(reader, 'Memo by e-mail').focus()
    await reader.keyboard.press('Space')
    await expect(switchOf(reader, 'Evening digest')).not.toBeChecked()
    await reader.keyboard.press('Enter')
    await expect(reader.getByText('Update succeeded')).toBeVisible()
    await reader.reload()
    await expect(switchOf(reader, 'Memo by e-mail')).toBeChecked()
    await expect(reader.getByLabel('Phone number')).toHaveValue('(213) 373-4253')
    const rightToLeft = await switchOf(reader, 'Memo by e-mail').evaluate((input) => {
      document.documentElement.dir = 'rtl'
      for (const animation of input.getAnimations({ subtree: true })) animation.finish()
      const { transform } = getComputedStyle(input, '::before')
      const titles = [...document.querySelectorAll('h1, h2')].map(
        (title) => getComputedStyle(title).textAlign,
      )
      document.documentElement.dir = 'ltr'
      return { knobShift: new DOMMatrix(transform).e, alignments: [...new Set(titles)] }
    })
    expect(rightToLeft).toEqual({ knobShift: -18, alignments: ['right'] })
    expect((await memberOf(reader))?.customFields).toMatchObject({
      name: 'Ada Reader',
      phone: '+12133734253',
      getmemomethodbyemail: true,
    })

    await reader.context().setOffline(true)
    await expect(reader.getByText(/You’re offline/).first()).toBeVisible()
    await switchOf(reader, 'Evening digest').check()
    await submit(reader)
    await expect(reader.getByText(/We can’t reach the server/)).toBeVisible()
    await expect(switchOf(reader, 'Evening digest')).toBeChecked()
    await expect(reader.getByText('Not saved yet')).toBeVisible()
    await reader.context().setOffline(false)
    consoleErrors.ignore()
  })

  test('asks before changes are left, and keeps them over a reload', async ({ reader }) => {
    await logIn(reader, await createAccount(reader))
    await reader.getByRole('link', { name: 'View memos' }).click()
    await reader.getByRole('link', { name: 'Account' }).click()
    await switchOf(reader, 'Memo by e-mail').check()
    await expect(reader.getByText('Not saved yet')).toBeInViewport()
    await expect(button(reader, 'Submit')).toBeInViewport()
    const asked: string[] = []
    reader.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await reader.reload()
    expect(asked).toEqual(['beforeunload'])
    await expect(switchOf(reader, 'Memo by e-mail')).toBeChecked()
    const question = reader.getByRole('dialog', { name: 'Save your changes?' })
    await reader.getByRole('link', { name: 'View memos' }).click()
    await expect(question).toBeVisible()
    await expectAccessiblePage(reader, 'Subscription options')
    await reader.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(reader.getByRole('link', { name: 'View memos' })).toBeFocused()
    await reader.goBack()
    await question.getByRole('button', { name: 'Stay here' }).click()
    await expect(reader).toHaveURL(/#\/account\/dashboard$/)
    await reader.getByRole('link', { name: 'View memos' }).click()
    await question.getByRole('button', { name: 'Save and leave' }).click()
    await expect(reader).toHaveURL(/#\/home$/)
    expect((await memberOf(reader))?.customFields).toMatchObject({ getmemomethodbyemail: true })
  })

  test('waits for the plan after a payment, and shows a cancellation in the portal', async ({ reader }) => {
    const email = await createAccount(reader)
    await reader.goto('/#/account/login')
    await fillLogin(reader, email)
    await expectCheckout(reader)
    await reader.getByRole('link', { name: /^Back to/ }).click()
    await expect(reader.getByText('You canceled the payment. Nothing was charged.')).toBeVisible()
    await expectAccessiblePage(reader, 'Subscription options')
    await button(reader, 'Continue to payment').click()
    await expectCheckout(reader)
    await payWith(reader, 'Pays')
    await expectWelcome(reader)
    await expectAccessiblePage(reader, 'Your Monthly plan is active')
    await putStepsOff(reader)
    await expect(reader.getByText(/^Monthly, \$4\.99 a month\. It renews on /)).toBeVisible()

    await button(reader, 'Billing and invoices').click()
    await reader.getByRole('link', { name: 'Cancel subscription' }).click()
    await reader.getByRole('button', { name: 'Cancel subscription' }).click()
    await expect(reader.getByRole('status')).toHaveText(/^Your subscription was canceled/)
    await reader.getByRole('link', { name: /^Back to/ }).click()
    await expect(reader.getByText(/^Monthly ends on /)).toBeVisible()
    await expectAccessiblePage(reader, 'Subscription options')
    await expect(reader).toHaveURL(/#\/account\/dashboard$/)
  })

  test('lists sessions, ends them, exports the data and deletes the account', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await createAccount(reader)
    await logIn(reader, email)
    const unfold = (title: string) => reader.locator('summary', { hasText: title }).click()
    const sessions = reader.getByRole('region', { name: 'Where you’re logged in' })
    await unfold('Where you’re logged in')
    // The one that created the account, and this one.
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await expect(sessions.getByRole('listitem').first()).toContainText('This device')
    const token = await otherDevice(reader, email)
    await reader.reload()
    await unfold('Where you’re logged in')
    await expect(sessions.getByRole('listitem')).toHaveCount(3)
    await sessions
      .getByRole('button', { name: /^Log out [^a]/ })
      .first()
      .click()
    await expect(sessions.getByText('Logged out.')).toBeVisible()
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await button(reader, 'Log out all other devices').click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    expect(await memberOf(reader, token)).toBeNull()

    await unfold('Your data')
    const download = reader.waitForEvent('download')
    await button(reader, 'Download your data').click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^tidings-\d{4}-\d\d-\d\d\.json$/)
    const data: unknown = JSON.parse(await readFile(await file.path(), 'utf8'))
    expect(memberExportReply.parse({ data }).data.member.auth.email).toBe(email)

    await button(reader, 'Delete account').click()
    await expect(reader.getByRole('heading', { name: 'Delete your account?' })).toBeFocused()
    await expectAccessiblePage(reader, 'Subscription options')
    await reader.getByLabel(`To confirm, enter ${email}`).fill(email)
    await reader.keyboard.press('Enter')
    // It had opened a checkout, so it has a customer at Stripe.
    await expect(reader.getByText(/^Your data was deleted\. We’re closing your account/)).toBeVisible()
    await expect(reader).toHaveURL(/#\/home$/)
    await openScreen(reader, '/account/login')
    await fillLogin(reader, email)
    await expect(
      reader.getByText('Your email or password is incorrect. Check both and try again.'),
    ).toBeVisible()
    consoleErrors.ignore()
  })
})

test.describe('the plan screen', () => {
  test('changes the plan for what it shows, and drops a planned change', async ({ reader }) => {
    await subscribe(reader)
    await reader.getByRole('link', { name: 'Change plan' }).click()
    await reader.getByRole('radio', { name: /^Yearly/ }).check()
    await reader.getByRole('button', { name: 'Update' }).click()
    await expect(reader.getByText('Please check items to update')).toBeVisible()
    await expectAccessiblePage(reader, 'Change plan')
    await reader.getByLabel('Name').fill('Ada Reader')
    await reader.getByLabel('Phone number').fill('213 373 4253')
    await reader.getByRole('button', { name: 'Update' }).click()
    await expect(reader.getByRole('heading', { name: 'Confirm the change' })).toBeFocused()
    await expectAccessiblePage(reader, 'Change plan')
    await reader.getByRole('button', { name: /^Pay \$4\d\.\d\d and change plan$/ }).click()
    await expect(reader.getByText(/^Yearly has started\. You paid \$4\d\.\d\d today\./)).toBeVisible()
    expect((await memberOf(reader))?.customFields).toMatchObject({ name: 'Ada Reader' })

    await reader.getByRole('radio', { name: /^Monthly/ }).check()
    await reader.getByRole('button', { name: 'Update' }).click()
    await expect(reader.getByText('Nothing', { exact: true })).toBeVisible()
    // A reload confirms nothing.
    await reader.reload()
    await expect(reader.getByRole('radio', { name: /^Yearly/ })).toBeChecked()
    await expect(reader.getByRole('heading', { name: 'Confirm the change' })).toHaveCount(0)
    await reader.getByRole('radio', { name: /^Monthly/ }).check()
    await reader.getByRole('button', { name: 'Update' }).click()
    await button(reader, 'Confirm').click()
    await expect(reader.getByText(/^You keep Yearly until .+ for \$4\.99 a month\.$/)).toBeVisible()
    await expectAccessiblePage(reader, 'Change plan')
    await button(reader, 'Keep Yearly').click()
    await button(reader, 'Confirm').click()
    await expect(reader.getByText("You're staying on Yearly.")).toBeVisible()
    await reader.getByRole('link', { name: 'Go back' }).click()
    await expect(reader.getByText(/^Yearly, \$49\.99 a year\. It renews on /)).toBeVisible()
  })

  test('changes nothing when the card is declined, and leads to the card', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await subscribe(reader)
    await failCard(email)
    await reader.getByRole('link', { name: 'Change plan' }).click()
    await reader.getByRole('radio', { name: /^Yearly/ }).check()
    await reader.getByLabel('Name').fill('Ada Reader')
    await reader.getByLabel('Phone number').fill('213 373 4253')
    await reader.getByRole('button', { name: 'Update' }).click()
    await reader.getByRole('button', { name: /^Pay / }).click()
    await expect(button(reader, 'Update your card')).toBeVisible()
    await expectAccessiblePage(reader, 'Change plan')
    await button(reader, 'Cancel').click()
    await expect(reader.getByText(/^Monthly, \$4\.99 a month\./)).toBeVisible()
    consoleErrors.ignore()
  })
})

test('a member changes the password and logs in with the new one', async ({ reader, consoleErrors }) => {
  const email = await createAccount(reader)
  await logIn(reader, email)
  await reader.getByRole('link', { name: 'Change password' }).click()
  await expectAccessiblePage(reader, 'Change password')
  await submit(reader)
  await reader.getByLabel('Old password', { exact: true }).fill('not my password')
  await reader.getByLabel('New password', { exact: true }).fill('another password')
  await reader.keyboard.press('Enter')
  await expect(reader.getByText('Your password is incorrect. Check it and try again.')).toBeVisible()
  await expect(reader.getByLabel('Old password', { exact: true })).toBeFocused()
  await expectAccessiblePage(reader, 'Change password')
  await reader.getByLabel('Old password', { exact: true }).fill(password)
  await submit(reader)
  await expect(reader.getByText('Successfully updated')).toBeVisible()
  await reader.getByRole('link', { name: 'Go back' }).click()
  await reader.getByRole('navigation').getByRole('button', { name: 'Log out' }).click()
  await expect(reader).toHaveURL(/#\/home$/)
  await openScreen(reader, '/account/login')
  await fillLogin(reader, email, 'another password')
  await expectCheckout(reader)
  consoleErrors.ignore()
})
