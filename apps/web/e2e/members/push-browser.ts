import { expect, type Page, type Worker } from '@playwright/test'
import { siteUnderTest } from '../site-under-test.config.ts'

type Received = { text: string }

/**
 * Gives the page what this browser lacks: a push service, which is the emulator's, and a place that shows notifications.
 * The worker of the site is the real one, and gets the messages from the browser itself.
 */
export async function pushBrowser(page: Page, permission: NotificationPermission = 'default') {
  const service = new URL(siteUnderTest.inboxUrl()).origin
  const context = page.context()
  let serverKey = ''
  await context.exposeFunction('takeSubscription', async (applicationServerKey: string) => {
    serverKey = applicationServerKey
    const reply = await page.request.post(`${service}/push/subscriptions`, { data: { applicationServerKey } })
    return await reply.json()
  })
  await context.addInitScript(fakeBrowser, permission)
  const workerOf = async (): Promise<Worker> =>
    context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const endpoint = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('test:push') ?? 'null')?.endpoint)

  return {
    endpoint,
    /** Returns the message with a title that the site has sent to this browser, decrypted. */
    async message(title: string): Promise<string> {
      const read = async (): Promise<Received[]> =>
        await (
          await page.request.get(`${service}/push/messages`, { params: { endpoint: await endpoint() } })
        ).json()
      await expect.poll(async () => (await read()).map(({ text }) => text).join()).toContain(title)
      return (await read()).find(({ text }) => text.includes(title))?.text ?? ''
    },
    /** Has the browser hand a message to the worker, and returns what the worker shows. */
    async deliver(data: string): Promise<unknown[]> {
      const worker = await workerOf()
      await worker.evaluate(recordNotifications)
      const tools = await context.newCDPSession(page)
      const registered = Promise.withResolvers<string>()
      tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [own] = registrations
        if (own !== undefined) registered.resolve(own.registrationId)
      })
      await tools.send('ServiceWorker.enable')
      const origin = new URL(siteUnderTest.url()).origin
      await tools.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId: await registered.promise,
        data,
      })
      await expect.poll(() => worker.evaluate('self.shown.length')).toBeGreaterThan(0)
      return await worker.evaluate('self.shown.splice(0)')
    },
    /**
     * Has the browser's push service replace the subscription. The browser may make the new one; otherwise, the worker
     * must. Returns how the worker subscribed.
     */
    async renew({ isMade }: { isMade: boolean }): Promise<unknown[]> {
      await page.evaluate(async (key) => {
        const json = await Reflect.get(window, 'takeSubscription')(key)
        localStorage.setItem('test:push', JSON.stringify(json))
      }, serverKey)
      const change = JSON.stringify({ isMade, key: serverKey })
      return await (await workerOf()).evaluate(`(${changeSubscription})(${change})`)
    },
    serverKey: () => serverKey,
    /** Taps a notification, with its data. Returns the addresses of the windows that the worker opened. */
    async tap(data: unknown): Promise<string[]> {
      return await (await workerOf()).evaluate(`(${tapNotification})(${JSON.stringify(data)})`)
    },
  }
}

/** Runs in the page. */
function fakeBrowser(permission: NotificationPermission): void {
  // It has no storage.
  if (location.protocol === 'about:') return
  const key = 'test:push'
  const subscription = () => {
    const json = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (json === null) return null
    return {
      ...json,
      options: {},
      toJSON: () => json,
      async unsubscribe() {
        localStorage.removeItem(key)
        return true
      },
    }
  }
  const state = { permission }
  Object.defineProperty(Notification, 'permission', { get: () => state.permission })
  Object.assign(Notification, {
    async requestPermission() {
      state.permission = 'granted'
      return state.permission
    },
  })
  Object.assign(PushManager.prototype, {
    getSubscription: async () => subscription(),
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      const json = await Reflect.get(window, 'takeSubscription')(applicationServerKey)
      localStorage.setItem(key, JSON.stringify(json))
      return subscription()
    },
  })
  // A granted permission stays granted.
  if (localStorage.getItem(key) !== null) state.permission = 'granted'
}

const recordNotifications = `
  self.shown ??= []
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    self.shown.push({ title, ...options })
  }`

// Only a person's tap may focus or open a window, so the worker's wishes are recorded.
const tapNotification = `async (data) => {
  const opened = []
  const work = []
  WindowClient.prototype.focus = async function () { return this }
  Clients.prototype.openWindow = async (url) => { opened.push(url); return null }
  const event = new ExtendableEvent('notificationclick')
  Object.defineProperty(event, 'notification', { value: { data, close() {} } })
  Object.defineProperty(event, 'waitUntil', { value: (promise) => work.push(promise) })
  self.dispatchEvent(event)
  await Promise.all(work)
  return opened
}`

const changeSubscription = `async ({ isMade, key }) => {
  const subscribed = []
  const work = []
  PushManager.prototype.subscribe = async (options) => { subscribed.push(options); return null }
  const event = new ExtendableEvent('pushsubscriptionchange')
  Object.defineProperty(event, 'oldSubscription', { value: { options: { applicationServerKey: key } } })
  Object.defineProperty(event, 'newSubscription', { value: isMade ? {} : null })
  Object.defineProperty(event, 'waitUntil', { value: (promise) => work.push(promise) })
  self.dispatchEvent(event)
  await Promise.all(work)
  return subscribed
}`
