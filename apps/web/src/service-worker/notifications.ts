import { pushRenewedMessage } from '../lib/notifications/renewed-message.ts'
import { notificationOf, screenUrl } from './notification.ts'
import { isShellUrl } from './rules.ts'

type WaitUntil = { waitUntil: (work: Promise<unknown>) => void }
type Window = {
  url: string
  focus: () => Promise<unknown>
  navigate: (url: string) => Promise<unknown>
  postMessage: (message: string) => void
}
type SubscriptionChange = WaitUntil & {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}

declare const __NOTIFICATION_ICONS__: { icon: string; badge: string }
declare const self: {
  location: Location
  registration: ServiceWorkerRegistration
  clients: {
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<Window[]>
    openWindow: (url: string) => Promise<unknown>
  }
  addEventListener: {
    (type: 'push', listener: (event: WaitUntil & { data: { text: () => string } | null }) => void): void
    (
      type: 'notificationclick',
      listener: (event: WaitUntil & { notification: Pick<Notification, 'data' | 'close'> }) => void,
    ): void
    (type: 'pushsubscriptionchange', listener: (event: SubscriptionChange) => void): void
  }
}

/** Shows a notification of each push message, and opens its edition on a tap. */
export function handleNotifications(): void {
  self.addEventListener('push', (event) => {
    const { title, options } = notificationOf(event.data?.text() ?? '', __NOTIFICATION_ICONS__)
    event.waitUntil(self.registration.showNotification(title, options))
  })
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(openScreen(screenUrl(event.notification.data, self.location.origin)))
  })
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
}

/** Shows a screen in the window of the site that was used last, or in a new one. */
async function openScreen(url: string): Promise<void> {
  const [open] = await siteWindows()
  if (open === undefined) return void (await self.clients.openWindow(url))
  try {
    await open.navigate(url)
  } catch {
    // Another version of the worker controls the window. A tap allows either to focus a window or to open one, once.
    return void (await self.clients.openWindow(url))
  }
  await open.focus()
}

/** Subscribes again where the browser didn't. Only a page has the session: it tells the server, now or when it is opened. */
async function renew({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  if (newSubscription == null && oldSubscription != null) {
    const { applicationServerKey } = oldSubscription.options
    await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  }
  for (const open of await siteWindows()) open.postMessage(pushRenewedMessage)
}

/** Returns the open windows of the site, without the other pages of the origin. The one that was used last is first. */
async function siteWindows(): Promise<Window[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.filter(({ url }) => isShellUrl(new URL(url)))
}
