import { startDevServer } from '@tidings/launcher/dev-server'
import { expect, freshAddress, test } from '../membership/guest.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { createDialog } from './dialog.ts'
import { recorded, watchPage } from './watched-page.ts'

const password = 'a long password'

test('the examples of development sign up, log in and follow the session', async ({
  page,
  consoles: _,
}, info) => {
  const origin = siteUnderTest.examplesOrigin()
  const server = startDevServer({
    name: 'examples',
    port: Number(new URL(origin).port),
    site: { url: siteUnderTest.url(), publicKey: siteUnderTest.publicKey() },
    logFile: info.outputPath('examples.log'),
  })
  try {
    await expect.poll(() => fetch(origin).then(({ ok }) => ok, server.lastLines)).toBe(true)
    await watchPage(page)
    const { dialog, field, button } = createDialog(page)
    const onPage = (name: string) => page.getByRole('button', { name, exact: true })
    const email = freshAddress()
    const fillIn = async (submit: string) => {
      await field('Email address').fill(email)
      await field('Password').fill(password)
      await button(submit).click()
      await expect(dialog).toHaveCount(0)
    }

    await page.goto(origin)
    await onPage('Sign up').click()
    await fillIn('Sign up')
    await expect(onPage('Profile')).toBeVisible()
    await expect(page.locator('[data-membership-secure]')).not.toBeEmpty()
    await expect(page.getByText('You pay for a plan.')).toBeHidden()
    await onPage('Log out').click()
    await expect(page.locator('[data-membership-secure]')).toBeEmpty()
    expect(await recorded(page, 'violations')).toEqual([])

    await page.getByRole('link', { name: 'A page with a strict Content-Security-Policy' }).click()
    await onPage('Log in').click()
    await fillIn('Login')
    await onPage('Profile').click()
    await button('Logout').click()
    await expect(onPage('Sign up')).toBeVisible()
    expect(await recorded(page, 'violations')).toEqual([])

    await page.goBack()
    await page.getByRole('link', { name: 'a page with React' }).click()
    await expect(page.getByText('You are not logged in.')).toBeVisible()
    await onPage('Log in').click()
    await fillIn('Login')
    await expect(page.getByText(`You are logged in as ${email}.`)).toBeVisible()
    await onPage('Profile').click()
    await button('Logout').click()
    await expect(page.getByText('You are not logged in.')).toBeVisible()
    expect(await recorded(page, 'violations')).toEqual([])
  } finally {
    await server.stop()
  }
})
