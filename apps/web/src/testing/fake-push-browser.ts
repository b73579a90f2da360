import { onTestFinished } from 'vitest'

type Options = {
  permission?: NotificationPermission
  /** The reader's answer to the browser's question. */
  answer?: NotificationPermission
  /** Whether the browser's push service is out of reach. */
  isUnreachable?: boolean
}

/** Gives the browser under test notifications and a push service, which hands out subscriptions, until the test ends. */
export function fakePushBrowser({ permission = 'default', answer = 'granted', isUnreachable }: Options = {}) {
  let current: ReturnType<typeof createSubscription> | null = null
  let count = 0
  const messages = new EventTarget()
  const browser = {
    asked: 0,
    /** Resolves once everything that only waits for the browser has gone on. */
    async settled() {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    },
    subscription: () => current,
    /** Replaces the subscription, as a browser may do while no page is open. */
    renewSubscription: (publicKey: string) => (current = createSubscription(publicKey)),
    sendFromWorker: (data: string) => messages.dispatchEvent(new MessageEvent('message', { data })),
  }

  function createSubscription(publicKey: string) {
    count += 1
    const endpoint = `https://push.example/${count}`
    const key = Uint8Array.from(atob(publicKey), (letter) => letter.charCodeAt(0)).buffer
    return {
      endpoint,
      options: { applicationServerKey: key },
      toJSON: () => ({ endpoint, keys: { p256dh: 'BPublicKey', auth: 'secret' } }),
      async unsubscribe() {
        current = null
        return true
      },
    }
  }

  const pushManager = {
    getSubscription: async () => current,
    async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      if (isUnreachable === true) throw new DOMException('Registration failed', 'AbortError')
      current = createSubscription(applicationServerKey)
      return current
    },
  }
  const registration = { pushManager }
  const fakeNotification = {
    permission,
    async requestPermission() {
      browser.asked += 1
      fakeNotification.permission = answer
      return answer
    },
  }
  define(navigator, 'serviceWorker', {
    controller: null,
    ready: Promise.resolve(registration),
    register: async () => registration,
    getRegistration: async () => registration,
    addEventListener: messages.addEventListener.bind(messages),
    removeEventListener: messages.removeEventListener.bind(messages),
  })
  define(window, 'PushManager', class {})
  define(window, 'Notification', fakeNotification)
  return browser
}

/** Makes the browser under test one of Apple's phones, until the test ends. */
export function fakeApplePhone(): void {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1'
  define(navigator, 'userAgent', userAgent)
}

function define(target: object, name: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value, configurable: true })
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, before)
  })
}
