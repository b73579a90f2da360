import { expect, freshAddress, test } from '../membership/guest.ts'
import { about, codeTo, otherThan } from '../membership/inbox.ts'
import { createDialog } from './dialog.ts'

const password = 'a long password'

test.describe('the dialogs, on a page of another origin', () => {
  test('sign a member up, edit the account and log out with the script tag alone', async ({ openGuest }) => {
    const { page } = await openGuest({ search: '?widget' })
    const { dialog, field, button, open, outcome, hide, message } = createDialog(page)
    const email = freshAddress()

    await open('PROFILE')
    await outcome('Member not logged in')

    await page.getByRole('button', { name: 'Go on' }).focus()
    await open('SIGNUP')
    await expect(dialog).toHaveAccessibleName('Create an account')
    await button('Sign up').click()
    await expect(message('Please enter a valid email address')).toBeVisible()
    await expect(message('Minimum 8 characters required')).toBeVisible()
    await page.keyboard.press('Escape')
    await outcome('CLOSED')
    await expect(page.getByRole('button', { name: 'Go on' })).toBeFocused()

    await open('SIGNUP')
    await expect(dialog.getByText('Secured by Tidings')).toBeVisible()
    // The hidden custom fields are not among them.
    await expect(dialog.locator('form > .field label')).toHaveText([
      'Name',
      /^Phone/,
      'Email address',
      'Password',
    ])
    await field('Name').fill('Ada')
    await field('Email address').fill(email)
    await field('Password').fill(password)
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await button('Sign up').dblclick()
    await outcome('SIGNUP')
    expect(requests.filter((line) => line === 'POST /auth/signup')).toHaveLength(1)
    await expect(dialog).toBeVisible()
    await hide()

    await open('PROFILE')
    await expect(dialog).toHaveAccessibleName('Account menu')
    await button('Profile').click()
    await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await field('Name').fill('Ada Lovelace')
    await button('Save').click()
    await expect(dialog.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible()
    await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('text'),
    })
    await expect(message('File is not an image.')).toBeVisible()
    await button('Back').click()
    await button('Security').click()
    await button('Change Password').click()
    await field('Current password').fill(password)
    await field('New password').fill('another password')
    await field('Confirm password').fill('a third password')
    await button('Save').click()
    await expect(message('The passwords don’t match')).toBeVisible()
    await field('Confirm password').fill('another password')
    await button('Save').click()
    await expect(dialog).toHaveAccessibleName('Security')
    await button('Back').click()
    await button('Logout').click()
    await outcome('LOGOUT')
    await expect(dialog).toHaveCount(0)
  })

  test('reset a password and log in, with each error in its place', async ({ openGuest, expectRefusal }) => {
    const guest = await openGuest({ search: '?widget' })
    const { page } = guest
    const { email } = await guest.signUp()
    await page.evaluate(() => Reflect.get(window, '$membership').logout())
    const { dialog, field, button, boxes, open, outcome, hide, paste, message } = createDialog(page)

    await open('LOGIN')
    await field('Email address').fill(email)
    await field('Password').fill('a wrong password')
    await button('Login').click()
    await expect(dialog.getByRole('alert')).toContainText(/\w/)
    expectRefusal(401)

    await button('Forgot Password?').click()
    await expect(field('Email address')).toHaveValue(email)
    await button('Back').click()
    await expect(dialog).toHaveAccessibleName('Login to your account')
    await button('Forgot Password?').click()
    await button('I already have a code').click()
    await expect(boxes).toHaveCount(6)
    await button('Back').click()
    await expect(field('Email address')).toHaveValue(email)
    await button('Send Link').click()
    await expect(dialog.getByRole('status')).toHaveText(
      `If ${email} has an account, we sent it a six-digit code.`,
    )
    const code = await codeTo(email, about.reset)
    await button('Confirm & Reset').click()
    await expect(message('Please enter a valid code')).toBeVisible()
    await boxes.first().focus()
    await page.keyboard.type(otherThan(code))
    await expect(boxes.last()).toBeFocused()
    await field('New password').fill('a new password')
    await button('Confirm & Reset').click()
    await expect(dialog.getByRole('alert')).toContainText(/\w/)
    expectRefusal(400)
    await boxes.last().fill('')
    await page.keyboard.press('Backspace')
    await expect(boxes.nth(4)).toBeFocused()
    await paste(code)
    await button('Confirm & Reset').click()
    await outcome('PASSWORD_RESET')
    await expect(
      message('Success! Your password has been reset; please login with your new credentials.'),
    ).toBeVisible()

    await button('Back to login').click()
    await field('Password').fill('a new password')
    await page.keyboard.press('Enter')
    await expect(message('You have successfully logged in.')).toBeVisible()
    await hide()
  })
})
