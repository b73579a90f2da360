import { expireCodes } from '../membership/expiry.ts'
import { expect, freshAddress, test } from '../membership/guest.ts'
import { connectAs, signInAs } from '../membership/identity.ts'
import { about, codeTo, otherThan } from '../membership/inbox.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { appWith, call, createDialog } from './dialog.ts'

test.describe('the ways in', () => {
  test('without a password sign a member up, and log in by default', async ({ openGuest, expectRefusal }) => {
    const { page } = await openGuest({ search: '?widget' })
    const { dialog, field, button, boxes, open, outcome, hide, paste, message } = createDialog(page)
    const email = freshAddress()
    const app = await call(page, 'getApp')
    const free = app.plans.find(({ prices }: { prices: [] }) => prices.length === 0)

    await open('SIGNUP', { signup: { plans: [free.id] } })
    await field('Name').fill('Ada')
    await field('Email address').fill(email)
    await button('Continue without a password').click()
    await expect(field('Password')).toHaveCount(0)
    await button('Continue with Password').click()
    await expect(field('Password')).toBeVisible()
    await button('Continue without a password').click()
    await expect(field('Email address')).toHaveValue(email)
    await button('Continue with Email').click()
    await expect(dialog.getByRole('heading')).toHaveText('Create an account')
    await expect(message(`We sent a six-digit code to ${email}.`)).toBeVisible()
    await expect(boxes).toHaveCount(6)
    await expect(dialog.getByLabel('Digit 6 of 6')).toBeVisible()
    await expect(boxes.first()).toBeFocused()
    await expect(boxes.first()).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(boxes.first()).toHaveAttribute('inputmode', 'numeric')
    await button('Back').click()
    await expect(field('Email address')).toHaveValue(email)
    await expect(field('Name')).toHaveValue('Ada')
    await button('Continue with Email').click()
    await expect(boxes.first()).toBeFocused()
    const code = await codeTo(email, about.signup, 2)
    await page.keyboard.type(`x${code.slice(0, 2)}`)
    await expect(boxes.nth(2)).toBeFocused()
    await button('Verify Email').click()
    await expect(message('Please enter a valid code')).toBeVisible()
    await boxes.nth(2).focus()
    await page.keyboard.press('Backspace')
    await expect(boxes.nth(1)).toBeFocused()
    await expect(boxes.nth(1)).toHaveValue('')
    await paste(`Your code: ${otherThan(code)}`)
    await button('Verify Email').click()
    await expect(dialog.getByRole('alert')).toContainText(/code/)
    expectRefusal(400)
    // As the keyboard of a phone fills it in.
    await boxes.first().fill(code)
    await button('Verify Email').click()
    await outcome('SIGNUP')
    const member = await call(page, 'getCurrentMember')
    expect(member).toMatchObject({
      auth: { email, hasPassword: false },
      customFields: { name: 'Ada' },
      planConnections: [{ planId: free.id }],
    })
    await hide()

    await call(page, 'logout')
    const additionalAuthMethods = { passwordless: { enabled: true, isDefault: true } }
    await open('LOGIN', { app: { ...app, additionalAuthMethods } })
    await expect(button('Login')).toHaveCount(0)
    await field('Email address').fill(email)
    await button('Continue with Email').click()
    await expect(dialog.getByRole('heading')).toHaveText('Login to your account')
    const replaced = await codeTo(email, about.login)
    await button('Back').click()
    await expect(field('Email address')).toHaveValue(email)
    await button('Continue with Email').click()
    const expired = await codeTo(email, about.login, 2)
    await paste(replaced === expired ? otherThan(expired) : replaced)
    await button('Verify Email').click()
    const alert = dialog.getByRole('alert')
    await expect(alert).toHaveText('This code is wrong or expired. Request a new one.')
    expectRefusal(400)
    await button('Dismiss message').click()
    await expireCodes(email)
    await paste(expired)
    await button('Verify Email').click()
    await expect(alert).toHaveText('This code is wrong or expired. Request a new one.')
    expectRefusal(400)
    await button('Back').click()
    await button('Continue with Email').click()
    await paste(await codeTo(email, about.login, 3))
    await page.keyboard.press('Enter')
    await outcome('LOGIN')
    await expect(message('You have successfully logged in.')).toBeVisible()

    await open('LOGIN', { app: { ...app, additionalAuthMethods: { passwordless: { enabled: false } } } })
    await expect(button('Login')).toBeVisible()
    await expect(button('Continue without a password')).toHaveCount(0)
  })

  test("with a provider's account end clearly, also without a login", async ({
    openGuest,
    expectRefusal,
  }) => {
    const { page } = await openGuest({ search: '?widget' })
    const { dialog, field, button, open, outcome, inPopup, hide, message } = createDialog(page)
    const closed = message('You closed the login window before you were logged in. Try again.')
    const email = freshAddress()
    const way = 'Continue with Tidings ID'

    await open('LOGIN', { login: { allowSignup: false } })
    await inPopup(way, (popup) => popup.close())
    await expect(closed).toBeVisible()
    await inPopup(way, signInAs(email))
    await expect(dialog.getByRole('alert')).toHaveText(/There’s no account for this login yet/)
    expectRefusal(404)
    await hide()
    await outcome('CLOSED')
    await open('LOGIN', { login: { allowSignup: true } })
    await inPopup(way, signInAs(email))
    await outcome('LOGIN')
    await hide()
    await call(page, 'logout')
    await open('SIGNUP')
    await field('Name').fill('Bea')
    const other = freshAddress()
    await inPopup(way, signInAs(other))
    await outcome('SIGNUP')
    expect(await call(page, 'getCurrentMember')).toMatchObject({
      auth: { email: other },
      customFields: { name: 'Bea' },
    })
    await hide()

    // The only login can't be disconnected before there is a password.
    await open('PROFILE', { hideProfileSection: true })
    await expect(button('Profile')).toHaveCount(0)
    await button('Security').click()
    await button('Disconnect Tidings ID').click()
    await expect(dialog.getByRole('alert')).toContainText(/password/)
    expectRefusal(409)
    await button('Set Password').click()
    await expect(dialog).toHaveAccessibleName('Set Password')
    await expect(field('Current password')).toHaveCount(0)
    await field('New password').fill('a first password')
    await field('Confirm password').fill('a first password')
    await button('Save').click()
    await expect(button('Change Password')).toBeVisible()
    await button('Disconnect Tidings ID').click()
    await inPopup('Connect Tidings ID', (popup) => popup.close())
    await expect(closed).toBeVisible()
    await expect(dialog.getByText('Loading...')).toHaveCount(0)
    await inPopup('Connect Tidings ID', connectAs(freshAddress()))
    await expect(button('Disconnect Tidings ID')).toBeVisible()
  })

  test('follow the parameters, the app and the traps of the page', async ({ openGuest }) => {
    const { page } = await openGuest({ search: '?widget' })
    const { dialog, field, button, open, outcome, hide } = createDialog(page)
    const ssoSignupButtonURL = `${siteUnderTest.guestOrigin()}/?sso`
    const app = await appWith(page, { ssoSignupButtonURL, isPaid: true })
    const sent: string[] = []
    page.on('request', (request) => {
      if (!request.url().includes('/membership/')) sent.push(request.url())
    })

    const translations = { sign_up: 'Join us', back: '' }
    await open('SIGNUP', { app, translations, hideCloseButton: true })
    await expect(button('Close')).toHaveCount(0)
    await expect(dialog.getByText(/Secured by/)).toHaveCount(0)
    await field('Name').fill('Bot')
    await field('Email address').fill(freshAddress())
    await field('Password').fill('a long password')
    await dialog.locator('input[name=website]').evaluate((input: HTMLInputElement) => {
      input.value = 'https://spam.example'
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    })
    await button('Join us').click()
    await expect(field('Name')).toHaveValue('')
    await expect(field('Password')).toHaveValue('')
    await page.mouse.click(3, 300)
    await outcome('CLOSED')
    await expect(dialog).toHaveCount(0)
    expect(sent).toEqual([])

    const providers = ['Beta', 'Alpha'].map((name, order) => ({ provider: name, name, icon: null, order }))
    await open('LOGIN', { app: { ...app, authProviders: providers.toReversed() } })
    await expect(dialog.getByRole('button', { name: /^Continue with (Alpha|Beta)/ })).toHaveText([
      'Continue with Beta',
      'Continue with Alpha',
    ])

    await page.evaluate(() => Reflect.set(window, 'ssoUI', true))
    await open('LOGIN', { app, signup: { plans: ['pln_free'] } })
    await button("Don't have an account?").click()
    await expect(dialog).toHaveAccessibleName('Create an account')
    await button('Already have an account?').click()
    await expect(dialog).toHaveAccessibleName('Login to your account')
    await hide()
    await open('LOGIN', { app })
    await button("Don't have an account?").click()
    await page.waitForURL(ssoSignupButtonURL)
  })
})
