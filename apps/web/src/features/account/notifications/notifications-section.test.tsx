import { screen, within } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { addPushDevice, removePushDevice } from '@tidings/contracts/membership/push'
import { expect, it } from 'vitest'
import { apiServer } from '#testing/api-handlers.ts'
import { setOnline } from '#testing/connection.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { wirePlanConnection } from '#testing/fake-membership.ts'
import { type FakeNotifications, fakeNotifications, wirePushDevice } from '#testing/fake-notifications.ts'
import { fakeApplePhone, fakePushBrowser } from '#testing/fake-push-browser.ts'
import { holdCall } from '#testing/held-request.ts'
import { renderAccount } from '#testing/render-account.ts'

const publicKey = 'BKey'
const offer = 'Notify me of new editions'
const other = wirePushDevice()

/** Opens the dashboard of a member with a plan, and returns the section. */
async function openSection(notifications: Partial<FakeNotifications> = {}) {
  const given = fakeNotifications({ publicKey, ...notifications })
  const member = wireMember({ planConnections: [wirePlanConnection('monthly')] })
  const page = await renderAccount('/account/dashboard', { membership: { member, notifications: given } })
  const section = within(await screen.findByRole('region', { name: 'Notifications' }))
  return { ...page, section, notifications: given }
}

it('asks for permission at the tap, and has this browser notified', async () => {
  const browser = fakePushBrowser()
  const { section, user, notifications } = await openSection()
  const button = await section.findByRole('button', { name: offer })
  expect(browser.asked).toBe(0)

  await user.click(button)

  expect(await section.findByText('Notifications are on.')).toBeDefined()
  expect(section.getByText('This browser')).toBeDefined()
  expect(section.queryByRole('button', { name: offer })).toBeNull()
  expect(notifications.endpoints).toEqual([browser.subscription()?.endpoint])
  expect(document.activeElement?.textContent).toBe('Notifications')
})

it('leaves the focus of a member who has gone on meanwhile', async () => {
  fakePushBrowser()
  const { section, user } = await openSection()
  const adding = holdCall(addPushDevice)
  await user.click(await section.findByRole('button', { name: offer }))
  await adding.arrived
  const field = screen.getByLabelText('Email')
  await user.click(field)
  adding.release()
  expect(await section.findByText('Notifications are on.')).toBeDefined()
  expect(document.activeElement).toBe(field)
})

it('has what comes next say so', async () => {
  fakePushBrowser()
  const { section, user, site } = await openSection()
  const next = within(await screen.findByRole('region', { name: 'What comes next' }))
  expect(await next.findByText(/^Editions are sent to members with a plan/)).toBeDefined()
  const button = await section.findByRole('button', { name: offer })
  const nextNotification = { at: '2026-11-21T18:00:00.000Z' }
  site.membership.deliveries = { ...site.membership.deliveries, obstacle: null, nextNotification }
  await user.click(button)
  expect(await next.findByText(/^The next edition comes as a notification/)).toBeDefined()

  site.membership.deliveries = {
    ...site.membership.deliveries,
    obstacle: 'no-method',
    nextNotification: null,
  }
  await user.click(await section.findByRole('button', { name: 'Turn off notifications in this browser' }))
  expect(await next.findByText(/^Nothing is sent to you/)).toBeDefined()
})

it('turns this browser off in one tap', async () => {
  const browser = fakePushBrowser()
  const { section, user, notifications } = await openSection({ devices: [other] })
  await user.click(await section.findByRole('button', { name: offer }))

  await user.click(await section.findByRole('button', { name: 'Turn off notifications in this browser' }))

  expect(await section.findByText('Notifications are off in this browser.')).toBeDefined()
  expect(section.getByRole('button', { name: offer })).toBeDefined()
  expect(browser.subscription()).toBeNull()
  expect(notifications.devices).toEqual([other])
})

it('lists the other browsers, and removes one, also when it is gone already', async () => {
  fakePushBrowser()
  const devices = [
    wirePushDevice({ lastNotifiedAt: '2026-11-20T19:00:00.000Z' }),
    wirePushDevice({ id: '00000000-0000-4000-8000-00000000000b', name: 'Safari on iPhone' }),
  ]
  const { section, user } = await openSection({ devices })
  expect(await section.findByText('Last notified today')).toBeDefined()
  expect(section.getByText('Added November 18')).toBeDefined()

  await user.click(section.getByRole('button', { name: 'Remove Firefox on Linux' }))
  expect(await section.findByText('Removed.')).toBeDefined()
  expect(section.queryByText('Firefox on Linux')).toBeNull()

  apiServer.use(fake(removePushDevice, () => errorResponse(404, 'push-device-not-found', 'No.')))
  await user.click(section.getByRole('button', { name: 'Remove Safari on iPhone' }))
  expect(await section.findByText('Removed.')).toBeDefined()
})

it('says what the server says about an eleventh browser, and keeps no subscription', async () => {
  const browser = fakePushBrowser()
  const { section, user } = await openSection()
  const text = 'Ten browsers are notified already. Remove one first.'
  apiServer.use(fake(addPushDevice, () => errorResponse(409, 'too-many-push-devices', text)))
  await user.click(await section.findByRole('button', { name: offer }))
  expect(await section.findByText(text)).toBeDefined()
  expect(browser.subscription()).toBeNull()
})

it('says so when the push service of the browser is out of reach', async () => {
  fakePushBrowser({ isUnreachable: true })
  const { section, user } = await openSection()
  await user.click(await section.findByRole('button', { name: offer }))
  expect(await section.findByText(/couldn’t reach its notification service/)).toBeDefined()
})

it('does not ask the browser without a connection', async () => {
  const browser = fakePushBrowser()
  const { section, user } = await openSection()
  const button = await section.findByRole('button', { name: offer })
  setOnline(false)
  await user.click(button)
  expect(await section.findByText(/You’re offline/)).toBeDefined()
  expect(browser.asked).toBe(0)
})

it('says how to allow notifications once they are refused', async () => {
  fakePushBrowser({ answer: 'denied' })
  const { section, user } = await openSection()
  await user.click(await section.findByRole('button', { name: offer }))
  expect(await section.findByText(/Select the icon beside the address/)).toBeDefined()
  expect(section.queryByRole('button', { name: offer })).toBeNull()
})

it('names the settings of an installed site on an iPhone', async () => {
  fakePushBrowser({ permission: 'denied' })
  fakeApplePhone()
  const { section } = await openSection()
  expect(await section.findByText(/Open the Settings app, then Notifications, then Tidings/)).toBeDefined()
})

it('has the site installed first on an iPhone', async () => {
  fakeApplePhone()
  const { section } = await openSection()
  expect(await section.findByText(/Add Tidings to your home screen first/)).toBeDefined()
  expect(section.getAllByRole('listitem')).toHaveLength(3)
  expect(section.queryByRole('button')).toBeNull()
})

it('says that a browser has no notifications', async () => {
  const { section } = await openSection({ devices: [other] })
  expect(await section.findByText(/This browser can’t show notifications/)).toBeDefined()
  expect(section.getByRole('button', { name: 'Remove Firefox on Linux' })).toBeDefined()
})

it('tells a member whose plan delivers no editions that they come with one that does', async () => {
  fakePushBrowser()
  const { section } = await openSection({ planDelivers: false })
  expect(await section.findByText('Members with a plan can be notified of new editions.')).toBeDefined()
  expect(section.queryByRole('button', { name: offer })).toBeNull()
})

it('is hidden at a site without notifications', async () => {
  fakePushBrowser()
  const section = () => screen.queryByRole('region', { name: 'Notifications' })
  const { site } = await renderAccount('/account/dashboard', { config: { notifications: false } })
  // With the rest of the dashboard: what follows never moves up.
  await screen.findByRole('heading', { name: 'More' })
  expect(section()).toBeNull()
  await screen.findByRole('region', { name: 'What comes next' })
  expect(section()).toBeNull()
  expect(site.calls).not.toContain(`GET ${addPushDevice.path}`)
})

it('is hidden once the server says that the site has no notifications any more', async () => {
  fakePushBrowser()
  await renderAccount('/account/dashboard')
  await screen.findByRole('region', { name: 'What comes next' })
  await expect.poll(() => screen.queryByRole('region', { name: 'Notifications' })).toBeNull()
})
