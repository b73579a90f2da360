import { screen, waitFor, within } from '@testing-library/react'
import { wireMember } from '@tidings/client/testing/wire-samples'
import { addPushDevice } from '@tidings/contracts/membership/push'
import { pushLimits } from '@tidings/contracts/delivery/push-limits'
import { logout } from '@tidings/contracts/membership/auth'
import { HttpResponse } from 'msw/http'
import { expect, it } from 'vitest'
import { apiServer, fakeSite } from '#testing/api-handlers.ts'
import { errorResponse, fake } from '#testing/fake.ts'
import { fakeMembership, wirePlanConnection } from '#testing/fake-membership.ts'
import { type FakeNotifications, fakeNotifications, wirePushDevice } from '#testing/fake-notifications.ts'
import { fakePushBrowser } from '#testing/fake-push-browser.ts'
import { holdCall } from '#testing/held-request.ts'
import { renderApp } from '#testing/render-app.tsx'
import { testNow } from '#testing/test-services.ts'

const publicKey = 'BKey'
const offer = { name: 'Notify me of new editions' }
const member = wireMember({ planConnections: [wirePlanConnection('monthly')] })
const own = wirePushDevice({ id: '00000000-0000-4000-8000-00000000000c', current: true })

type Visit = {
  visits?: number
  notifications?: Partial<FakeNotifications>
  path?: string
}

/** Opens the site as a member who has been there before. */
async function visit({ visits = 1, notifications, path = '/home' }: Visit = {}) {
  const hourAgo = testNow.getTime() - 3_600_000
  window.localStorage.setItem('tidings:visits', `${visits} ${hourAgo}`)
  const given = fakeNotifications({ publicKey, ...notifications })
  const site = fakeSite({ membership: fakeMembership({ member, notifications: given }) })
  const page = await renderApp({ path, site, isLoggedIn: true, isIdle: true })
  return { ...page, notifications: given }
}

/** Says that this browser is registered with the endpoint that the fake browser hands out first. */
function registered(memberId = member.id): void {
  window.localStorage.setItem('tidings:notified-browser', `${memberId} ${own.id} https://push.example/1`)
}

/** Waits until the second visit was counted, which is when everything else has begun. */
async function counted(): Promise<void> {
  await waitFor(() => expect(window.localStorage.getItem('tidings:visits')).toMatch(`${testNow.getTime()}`))
}

it('offers notifications from the second visit on, below everything else', async () => {
  const browser = fakePushBrowser()
  const { user, notifications } = await visit()
  const button = await screen.findByRole('button', offer)
  const main = screen.getByRole('main')
  expect(main.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  expect(browser.asked).toBe(0)
  const status = within(screen.getByRole('region', { name: 'Notifications' })).getByRole('status')
  expect(status.textContent).toBe('')

  await user.click(button)

  // Announced by what was there before, and the pressed button is gone.
  await waitFor(() => expect(status.textContent).toBe('This browser is notified of new editions.'))
  expect(status.isConnected).toBe(true)
  expect(screen.queryByRole('button', offer)).toBeNull()
  expect(document.activeElement).toBe(main)
  expect(notifications.endpoints).toEqual(['https://push.example/1'])
})

it('leaves a subscription alone that is being registered', async () => {
  const browser = fakePushBrowser()
  const { user } = await visit()
  const registering = holdCall(addPushDevice)
  await user.click(await screen.findByRole('button', offer))
  await registering.arrived
  browser.sendFromWorker('push-renewed')
  await browser.settled()
  registering.release()
  expect(await screen.findByText('This browser is notified of new editions.')).toBeDefined()
  await browser.settled()
  expect(browser.subscription()).not.toBeNull()
})

it('does not ask again once declined', async () => {
  fakePushBrowser()
  const { user, router } = await visit()
  await user.click(await screen.findByRole('button', { name: 'No, thanks' }))
  expect(screen.queryByRole('button', offer)).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('main'))
  await router.navigate({ to: '/archive' })
  await router.navigate({ to: '/home' })
  expect(screen.queryByRole('button', offer)).toBeNull()
})

it.each<[string, Visit & { permission?: NotificationPermission }]>([
  ['on the first visit', { visits: 0 }],
  ['to a member whose plan delivers no editions', { notifications: { planDelivers: false } }],
  ['to those who blocked notifications', { permission: 'denied' }],
  ['at a site without notifications', { notifications: { publicKey: null } }],
  ['on another screen', { path: '/archive' }],
])('offers nothing %s', async (_when, { permission = 'default', ...options }) => {
  fakePushBrowser({ permission })
  await visit(options)
  await counted()
  await expect.poll(() => screen.queryByRole('button', offer)).toBeNull()
})

it('offers nothing in a browser where they are on', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { site } = await visit({ notifications: { devices: [own] } })
  await counted()
  // One call of the renewal, one of the line.
  const reads = () => site.calls.filter((call) => call === `GET ${addPushDevice.path}`)
  await waitFor(() => expect(reads()).toHaveLength(2))
  await browser.settled()
  expect(screen.queryByRole('button', offer)).toBeNull()
})

it('offers nothing in a browser without notifications', async () => {
  await visit()
  await counted()
  expect(screen.queryByRole('button', offer)).toBeNull()
})

it('registers a subscription that the browser has renewed', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices: [own] } })
  await waitFor(() => expect(notifications.endpoints).toEqual(['https://push.example/2']))
  await waitFor(() => expect(notifications.devices.map(({ id }) => id)).not.toContain(own.id))
})

it('registers a browser of an earlier session, so that it ends with this one', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices: [{ ...own, current: false }] } })
  await waitFor(() => expect(notifications.endpoints).toEqual(['https://push.example/1']))
})

it('registers nothing anew at a visit in the same session', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices: [own] } })
  await counted()
  await browser.settled()
  expect(notifications.endpoints).toEqual([])
})

it('registers again when the worker says that the subscription was renewed', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices: [own] } })
  await counted()
  browser.renewSubscription(publicKey)
  browser.sendFromWorker('push-renewed')
  await waitFor(() => expect(notifications.endpoints).toEqual(['https://push.example/2']))
})

it('registers a renewed subscription also when as many browsers as possible are notified, and shows it', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const others = Array.from({ length: pushLimits.devices - 1 }, (_, index) =>
    wirePushDevice({ id: `00000000-0000-4000-8000-0000000001${index}0` }),
  )
  const { notifications } = await visit({
    path: '/account/dashboard',
    notifications: { devices: [own, ...others] },
  })
  apiServer.use(
    fake(addPushDevice, () =>
      notifications.devices.length < pushLimits.devices
        ? undefined
        : errorResponse(409, 'push-devices-full', 'Ten browsers are notified already.'),
    ),
  )
  expect(await screen.findByText('This browser')).toBeDefined()
  browser.renewSubscription(publicKey)
  browser.sendFromWorker('push-renewed')
  await waitFor(() => expect(notifications.endpoints).toEqual(['https://push.example/2']))
  expect(notifications.devices).toHaveLength(pushLimits.devices)
  expect(await screen.findByText('Chrome on Android')).toBeDefined()
  expect(screen.getByText('This browser')).toBeDefined()
})

it('registers no renewed subscription while the plan delivers no editions', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices: [own], planDelivers: false } })
  await counted()
  await browser.settled()
  expect(notifications.devices).toEqual([own])
  expect(notifications.endpoints).toEqual([])
})

it('subscribes anew when the site has another key', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription('BOld')
  const { notifications } = await visit({ notifications: { devices: [own] } })
  await waitFor(() => expect(notifications.endpoints).toEqual(['https://push.example/2']))
})

it.each([
  ['of another member', 'mem_other', [own]],
  ['that the member removed elsewhere', member.id, []],
])('ends a subscription %s', async (_what, memberId, devices) => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered(memberId)
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices } })
  await waitFor(() => expect(browser.subscription()).toBeNull())
  expect(notifications.endpoints).toEqual([])
})

it('removes this browser once the reader has blocked notifications', async () => {
  const browser = fakePushBrowser({ permission: 'denied' })
  registered()
  browser.renewSubscription(publicKey)
  const { notifications } = await visit({ notifications: { devices: [own] } })
  await waitFor(() => expect(notifications.devices).toEqual([]))
})

it('ends the notifications of this browser with a logout', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { user, notifications } = await visit({ notifications: { devices: [own] } })
  await user.click(await screen.findByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(browser.subscription()).toBeNull())
  expect(notifications.devices).toEqual([])
  expect(window.localStorage.getItem('tidings:notified-browser')).toBeNull()
})

it('keeps notifying this browser when a logout fails', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { user, notifications } = await visit({ notifications: { devices: [own] } })
  apiServer.use(fake(logout, () => HttpResponse.error()))
  await user.click(await screen.findByRole('button', { name: 'Log out' }))
  await screen.findByText('We can’t reach the server. Check your connection and try again.')
  expect(notifications.devices).toEqual([own])
  expect(browser.subscription()).not.toBeNull()
  expect(window.localStorage.getItem('tidings:notified-browser')).toContain(own.id)
})

it('keeps notifying this browser when the session expires', async () => {
  const browser = fakePushBrowser({ permission: 'granted' })
  registered()
  browser.renewSubscription(publicKey)
  const { site, services } = await visit({ notifications: { devices: [own] } })
  await counted()
  site.membership.hasSession = false
  await services.memberSession.verify()
  await screen.findByRole('link', { name: 'Log in' })
  await browser.settled()
  expect(browser.subscription()).not.toBeNull()
  expect(window.localStorage.getItem('tidings:notified-browser')).toContain(own.id)
})
