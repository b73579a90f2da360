import type { Page, Route } from '@playwright/test'
import { expect, freshAddress, test } from '../membership/guest.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { createDialog } from './dialog.ts'

/** Holds the requests to a path until the returned function is called. */
async function hold(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const paths: string[] = []
  await page.route(path, async (route) => {
    paths.push(route.request().method())
    await promise
    await route.fallback()
  })
  return { paths, release: resolve }
}

const cors = () => ({
  'access-control-allow-origin': siteUnderTest.guestOrigin(),
  'access-control-allow-credentials': 'true',
})
const breakDown = (route: Route) =>
  route.fulfill({
    status: 500,
    headers: cors(),
    json: { error: { code: 'unknown-error', message: 'Something broke. We are on it.' } },
  })
const refuseToken = (route: Route) =>
  route.fulfill({
    status: 401,
    headers: cors(),
    json: { error: { name: 'JsonWebTokenError', code: 'unknown-error', message: 'jwt malformed' } },
  })
const cutOff = (route: Route) => route.abort()
const answerOddly = (route: Route) => route.fulfill({ headers: cors(), body: '<p>Gateway</p>' })

test('a slow or failing server leaves the dialogs usable', async ({ openGuest, expectRefusal }) => {
  const guest = await openGuest({ search: '?widget' })
  const { page } = guest
  const { dialog, field, button, open, outcome, hide, message } = createDialog(page)
  const { email, password } = await guest.signUp()
  await page.evaluate(() => Reflect.get(window, '$membership').logout())

  // The code of the dialogs.
  await page.route('**/membership/widget/**', cutOff)
  await open('LOGIN')
  await outcome('Loading chunk failed')
  await page.unroute('**/membership/widget/**')

  // The app's configuration.
  await page.route('**/app', cutOff)
  await open('LOGIN')
  await expect(message('We can’t reach the server. Check your connection and try again.')).toBeVisible()
  await expect(button('Try again')).toBeFocused()
  await page.unroute('**/app')
  const app = await hold(page, '**/app')
  await button('Try again').click()
  await expect(message('Loading...')).toBeVisible()
  app.release()
  await expect(dialog).toHaveAccessibleName('Login to your account')

  // A login that fails in each way.
  await field('Email address').fill(email)
  await field('Password').fill(password)
  const submit = button(/^Login/)
  for (const [fail, text] of [
    [breakDown, 'Something broke. We are on it.'],
    [refuseToken, 'An invalid token has been provided. Please make sure the token is valid.'],
    [cutOff, 'We can’t reach the server. Check your connection and try again.'],
    [answerOddly, 'We couldn’t read the server’s reply. Try again later.'],
  ] as const) {
    await page.route('**/auth/login', fail)
    await submit.click()
    await expect(dialog.getByRole('alert')).toHaveText(text)
    await expect(submit).toHaveAttribute('aria-disabled', 'false')
    await page.unroute('**/auth/login')
  }
  expectRefusal(500)
  expectRefusal(401)

  // A login that takes its time.
  const login = await hold(page, '**/auth/login')
  await submit.dblclick()
  await expect(dialog.getByRole('img', { name: 'Loading...' })).toBeVisible()
  await expect(submit).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  login.release()
  await outcome('LOGIN')
  expect(login.paths.filter((method) => method === 'POST')).toHaveLength(1)
  await hide()

  // The profile shows that it waits, and keeps what was entered after a failure.
  await open('PROFILE')
  await button('Profile').click()
  await field('Name').fill('Ada')
  const save = await hold(page, '**/member')
  await button('Save').dblclick()
  await expect(dialog.getByRole('img', { name: 'Loading...' })).toBeVisible()
  save.release()
  // While it waits, the button is disabled too, and a change would be lost.
  await expect(dialog.getByRole('img', { name: 'Loading...' })).toHaveCount(0)
  await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
  expect(save.paths.filter((method) => method === 'POST')).toHaveLength(1)
  await page.route('**/member', cutOff)
  await field('Name').fill('Ada Lovelace')
  await button('Save').click()
  await expect(dialog.getByRole('alert')).toHaveText(/We can’t reach the server/)
  await expect(field('Name')).toHaveValue('Ada Lovelace')
  await page.unroute('**/member')
  await button('Save').click()
  await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')

  // A reset whose email can't be sent; the message of the server is no alarm.
  await hide()
  await open('FORGOT_PASSWORD')
  await button('Send Link').click()
  await expect(message('Please enter a valid email address')).toBeVisible()
  await field('Email address').fill(freshAddress())
  await page.route('**/send-reset-password-email', breakDown)
  await button('Send Link').click()
  await expect(dialog.getByRole('status')).toHaveText('Something broke. We are on it.')
  expectRefusal(500)
  await expect(button('Send Link')).toHaveAttribute('aria-disabled', 'false')
  await button('I already have a code').click()
  await expect(dialog.getByLabel('New password', { exact: true })).toBeVisible()
})
