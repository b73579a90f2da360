import { subscribe } from '../membership/checkout.ts'
import { expect, freshAddress, test } from '../membership/guest.ts'
import { appWith, call, createDialog } from './dialog.ts'

const password = 'a long password'
const wideMenuVisit = [
  ...['Security', 'Change Password', 'Plans', 'Security', 'Profile', 'Plans', 'Profile', 'Security'],
  ...['Change Password', 'Profile', 'Security', 'Change Password', 'Security', 'Plans'],
]

test.describe('the account in the dialogs', () => {
  test('removes a free plan, and leads a paying member to the billing portal', async ({ openGuest }) => {
    const guest = await openGuest({ search: '?widget' })
    const { page } = guest
    const { dialog, button, open, outcome, hide, message } = createDialog(page)
    const app = await appWith(page, {})
    const free = app.plans.find(({ prices }: { prices: [] }) => prices.length === 0)

    await guest.signUp({ plans: [{ planId: free.id }] })
    await open('PROFILE')
    await expect(button('Billing Portal')).toHaveCount(0)
    await button('Plans').click()
    await button(`Remove ${free.name}`).click()
    await expect(message('You have no free plans.')).toBeVisible()
    expect((await call(page, 'getCurrentMember')).planConnections).toEqual([])
    await hide()
    await open('PROFILE')
    await expect(button('Security')).toBeVisible()
    await expect(button('Plans')).toHaveCount(0)
    await hide()
    await call(page, 'logout')

    const address = page.url()
    await guest.comeBack()
    await subscribe(guest)
    await page.goto(address)
    await page.setViewportSize({ width: 1440, height: 900 })
    const modal = page.locator('#ProfileModal')
    await open('PROFILE')
    await expect(modal).toHaveCSS('width', '700px')
    // Each section leads to each other one.
    for (const name of wideMenuVisit) {
      await button(name).click()
      await expect(dialog).toHaveAccessibleName(name === 'Profile' ? 'My Profile' : name)
    }
    await expect(dialog.getByText('Monthly')).toBeVisible()
    await button('Manage Subscriptions').click()
    await page.waitForURL(/\/stripe\/portal/)
    await page.goBack()
    await open('PROFILE')
    await button('Billing Portal').click()
    await page.waitForURL(/\/stripe\/portal/)
    await page.goBack()
    await page.setViewportSize({ width: 520, height: 800 })
    await open('PROFILE')
    await expect(dialog).toHaveAccessibleName('Account menu')
    await expect(page.locator('#MobileProfileModal')).toBeVisible()
    await page.setViewportSize({ width: 521, height: 800 })
    await expect(dialog).toHaveAccessibleName('My Profile')
    await expect(modal).toBeVisible()
    await button('Logout').click()
    await outcome('LOGOUT')
  })

  test('takes pictures, and shows the password and security screens in order', async ({ openGuest }) => {
    const guest = await openGuest({ search: '?widget' })
    const { page } = guest
    await guest.signUp({ customFields: { name: 'Ada' } })
    const { dialog, field, button, open, hide, message } = createDialog(page)
    const app = await appWith(page, {})

    await open('PROFILE', { app })
    await button('Profile').click()
    const file = dialog.locator('input[type=file]')
    await expect(dialog.getByRole('heading', { name: 'Profile Information' })).toBeVisible()
    await expect(message('Upload Profile Image')).toBeVisible()
    await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(4_000_001) })
    await expect(message('Image must be less than 2MB.')).toBeVisible()
    await button('Dismiss message').click()
    await expect(message('Image must be less than 2MB.')).toHaveCount(0)
    await file.setInputFiles({ name: 'me.txt', mimeType: 'text/plain', buffer: Buffer.from('text') })
    await expect(message('File is not an image.')).toBeVisible()
    const buffer = await page.screenshot()
    await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await expect(dialog.getByRole('img', { name: 'Profile image' })).toBeVisible()
    await expect(message('Replace Image')).toBeVisible()

    await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await field('Name').fill('Ada Lovelace')
    await expect(button('Save')).toHaveAttribute('aria-disabled', 'false')
    await field('Name').fill('Ada')
    await expect(button('Save')).toHaveAttribute('aria-disabled', 'true')
    await button('Back').click()
    await button('Security').click()
    await field('Email address').fill('no address')
    await button('Save').click()
    await expect(message('Please enter a valid email address')).toBeVisible()
    const email = freshAddress()
    await field('Email address').fill(email)
    await button('Save').click()
    await expect(dialog.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible()
    await button('Change Password').click()
    await field('New password').fill('short')
    await field('Current password').focus()
    await expect(message('Minimum 8 characters required')).toBeVisible()
    await button('Back').click()
    await expect(dialog).toHaveAccessibleName('Security')
    await button('Back').click()
    await expect(dialog.getByRole('heading')).toHaveText(email)
    await hide()

    // Without a visible field, a wide dialog opens on security.
    await page.setViewportSize({ width: 1440, height: 900 })
    const customFields = app.customFields.map((one: object) => ({ ...one, hidden: true }))
    await open('PROFILE', { app: { ...app, customFields } })
    await expect(dialog).toHaveAccessibleName('Security')
    await button('Change Password').click()
    await expect(button('Security')).toHaveAttribute('aria-current', 'page')
  })

  test('closes and tells the page when the session ends elsewhere', async ({ openGuest, expectRefusal }) => {
    const guest = await openGuest({ search: '?widget' })
    const { page } = guest
    const { email } = await guest.signUp()
    const { dialog, field, button, open, outcome } = createDialog(page)

    await open('PROFILE')
    await button('Profile').click()
    const elsewhere = await openGuest({ search: '?widget', inAnotherBrowser: true })
    await call(elsewhere.page, 'loginMemberEmailPassword', { email, password })
    await call(elsewhere.page, 'endOtherSessions')
    await field('Name').fill('Ada')
    await button('Save').click()
    expectRefusal(401)
    await outcome('CLOSED')
    await expect(dialog).toHaveCount(0)
    expect(await guest.changes()).toEqual([email, null])

    await call(page, 'loginMemberEmailPassword', { email, password })
    await open('PROFILE')
    await expect(dialog).toHaveAccessibleName('Account menu')
    const otherTab = await openGuest({ search: '?widget' })
    await call(otherTab.page, 'logout')
    await outcome('CLOSED')
    await expect(dialog).toHaveCount(0)
    await open('PROFILE')
    await outcome('Member not logged in')
  })
})
