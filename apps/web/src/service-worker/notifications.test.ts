import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { handleNotifications } from './notifications.ts'

const home = `${window.location.origin}/#/home`
const archive = `${window.location.origin}/#/archive`

type Tap = {
  /** Addresses of the open windows. */
  open: readonly string[]
  /** Whether another version of the worker controls them. */
  isForeign?: boolean
}

/** Taps a notification of the archive. Returns what the worker did; a tap allows one window to be focused or opened. */
async function tap({ open, isForeign = false }: Tap): Promise<string[]> {
  const done: string[] = []
  let isSpent = false
  async function spend(what: string) {
    if (isSpent) throw new DOMException('Not allowed again.', 'InvalidAccessError')
    isSpent = true
    done.push(what)
  }
  const windows = open.map((url) => ({
    url,
    focus: () => spend(`focus ${url}`),
    async navigate(to: string) {
      if (isForeign) throw new TypeError('Another worker controls this window.')
      done.push(`navigate to ${to}`)
    },
  }))
  const clients = { matchAll: async () => windows, openWindow: (url: string) => spend(`open ${url}`) }
  Object.defineProperty(self, 'clients', { value: clients, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(self, 'clients'))
  const work = Promise.withResolvers<void>()
  const notification = { data: { path: '/archive' }, close: () => done.push('close') }
  const event = Object.assign(new Event('notificationclick'), { notification, waitUntil: work.resolve })
  self.dispatchEvent(event)
  await work.promise
  return done
}

beforeAll(handleNotifications)

it.each<[string, Tap, string[]]>([
  ['in the open window', { open: [home] }, [`navigate to ${archive}`, `focus ${home}`]],
  ['in a new window when none is open', { open: [] }, [`open ${archive}`]],
  [
    'in a new window when the open one belongs to another worker',
    { open: [home], isForeign: true },
    [`open ${archive}`],
  ],
])('a tap opens the edition %s', async (_where, windows, steps) => {
  expect(await tap(windows)).toEqual(['close', ...steps])
})
