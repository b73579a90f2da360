import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { about, codeTo, otherThan } from '../membership/inbox.ts'
import { openScreen } from '../reader.ts'
import {
  createAccount,
  endOtherSessions,
  expect,
  expectCheckout,
  fillLogin,
  logIn,
  memberOf,
  otherDevice,
  submit,
  test,
} from './member.ts'

test.describe('a member', () => {
  test('without a plan logs in, to the payment, and comes back to the dashboard', async ({ reader }) => {
    const email = await createAccount(reader)
    await reader.goto('/#/home')
    await reader.getByRole('link', { name: 'Log in' }).click()
    await expectAccessiblePage(reader, 'Log in')
    await submit(reader)
    await expect(reader.getByText('Please input all values.')).toBeVisible()
    await expect(reader.getByLabel('Email')).toHaveAccessibleDescription('Enter your email.')
    await expectAccessiblePage(reader, 'Log in')
    await fillLogin(reader, email)
    await expectCheckout(reader)
    await reader.goBack()
    await expect(reader.getByRole('button', { name: 'Continue', exact: true })).toBeVisible()
    await expectAccessiblePage(reader, 'Log in')
    await reader.getByRole('button', { name: 'Continue', exact: true }).click()
    await reader.waitForURL(/\/#\/account\/dashboard$/)

    await openScreen(reader, '/account/login')
    await expect(reader.getByLabel('Email')).toHaveValue(email)
    await fillLogin(reader, email)
    await expectCheckout(reader)
    await reader.getByRole('link', { name: /^Back to/ }).click()
    await reader.waitForURL(/\/#\/account\/dashboard/)
    expect(await reader.evaluate(() => localStorage.getItem('email'))).toBe(email)
  })

  test('reads why a login failed, and that the network is gone', async ({ reader, consoleErrors }) => {
    const email = await createAccount(reader)
    await reader.goto('/#/account/login')
    await fillLogin(reader, email, 'another password')
    await expect(
      reader.getByText('Your email or password is incorrect. Check both and try again.'),
    ).toBeVisible()
    await reader.context().setOffline(true)
    await fillLogin(reader, email)
    await expect(reader.getByText(/We can’t reach the server/)).toBeVisible()
    await reader.context().setOffline(false)
    await fillLogin(reader, email)
    await expectCheckout(reader)
    consoleErrors.ignore()
  })

  test('is logged in and out in all tabs', async ({ reader, consoleErrors }) => {
    const email = await createAccount(reader)
    const other = await reader.context().newPage()
    await other.goto('/#/home')
    await expect(other.getByRole('link', { name: 'Log in' })).toBeVisible()
    await logIn(reader, email)
    await reader.goto('/#/archive')
    await expect(reader.getByRole('heading', { level: 1, name: 'Archive' })).toBeVisible()
    await expect(other.getByRole('link', { name: 'Account' })).toBeVisible()

    await other.getByRole('button', { name: 'Log out' }).click()
    await expect(other.getByText('You’re logged out.')).toBeVisible()
    await expect(other.getByRole('link', { name: 'Sign up' })).toBeVisible()
    await expect(reader.getByText(/Your session has ended/)).toBeVisible()
    await expectAccessiblePage(reader, 'Log in')
    await reader.goto('/#/home')
    await expect(reader.getByRole('link', { name: 'Sign up' })).toBeVisible()
    // Requests of the dashboard may have been under way at the logout.
    expect(consoleErrors.filter((text) => !text.includes('401'))).toEqual([])
    consoleErrors.ignore()
  })

  test('whose session ended on another device logs in again and returns', async ({
    reader,
    consoleErrors,
  }) => {
    const email = await createAccount(reader)
    await logIn(reader, email)
    await openScreen(reader, '/archive')
    await expect(reader.getByRole('heading', { level: 1 })).toBeVisible()
    await endOtherSessions(reader, await otherDevice(reader, email))
    await reader.reload()
    await expect(reader.getByText(/Your session has ended/)).toBeVisible()
    await fillLogin(reader, email)
    await expectCheckout(reader)
    await reader.getByRole('link', { name: /^Back to/ }).click()
    await reader.waitForURL(/\/#\/archive$/)
    consoleErrors.ignore()
  })

  test('finds the client on the page', async ({ reader }) => {
    const email = await createAccount(reader)
    await logIn(reader, email)
    const exposed = () => reader.evaluate(() => typeof Reflect.get(window, '$membership'))
    await expect.poll(exposed).toBe('object')
    const member = await reader.evaluate('window.$membership.getCurrentMember()')
    expect(member).toMatchObject({ data: { auth: { email } } })
  })
})

test.describe('a forgotten password', () => {
  test('is replaced with the code from the inbox', async ({ reader, consoleErrors }) => {
    const email = await createAccount(reader)
    await reader.goto('/#/account/login')
    await reader.getByLabel('Email').fill(email)
    await reader.getByRole('link', { name: 'Forgot password' }).click()
    await expect(reader.getByLabel('Email')).toHaveValue(email)
    await expectAccessiblePage(reader, 'Forgot password')
    await reader.getByLabel('Email').fill('')
    await reader.getByRole('button', { name: 'Reset password' }).click()
    await expect(reader.getByText('Please input your email.')).toBeVisible()
    await reader.getByLabel('Email').fill(email)
    await reader.keyboard.press('Enter')

    await expectAccessiblePage(reader, 'Check your email')
    const code = await codeTo(email, about.reset)
    // The reader looks into the inbox, and the phone unloads the page meanwhile.
    await reader.reload()
    await reader.getByLabel('Code').fill(otherThan(code))
    await reader.getByLabel('New password', { exact: true }).fill('another password')
    await submit(reader)
    await expect(reader.getByText('This code is wrong or expired.')).toBeVisible()
    await expect(reader.getByLabel('Code')).toBeFocused()
    await expectAccessiblePage(reader, 'Check your email')
    await reader.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
    await submit(reader)
    await expect(reader.getByText('You can log in with your new password now.')).toBeVisible()
    await expectAccessiblePage(reader, 'Password changed')
    await reader.getByRole('link', { name: 'Log in' }).click()
    await expect(reader.getByLabel('Email')).toHaveValue(email)
    await fillLogin(reader, email, 'another password')
    await expectCheckout(reader)
    await reader.goto('/#/home')
    expect((await memberOf(reader))?.auth.email).toBe(email)
    consoleErrors.ignore()
  })
})
