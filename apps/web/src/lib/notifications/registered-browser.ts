import type { Store } from '../storage/store.ts'

/** For whom this browser is notified, and by which subscription. */
export type RegisteredBrowser = {
  memberId: string
  deviceId: string
  endpoint: string
}

const registeredKey = 'tidings:notified-browser'

/** Returns what was registered from this browser, or null. */
export function findRegistered(deviceStore: Store): RegisteredBrowser | null {
  const [memberId, deviceId, endpoint] = (deviceStore.get(registeredKey) ?? '').split(' ')
  if (memberId === undefined || deviceId === undefined || endpoint === undefined) return null
  return { memberId, deviceId, endpoint }
}

export function saveRegistered(deviceStore: Store, browser: RegisteredBrowser): void {
  deviceStore.set(registeredKey, `${browser.memberId} ${browser.deviceId} ${browser.endpoint}`)
}

export function forgetRegistered(deviceStore: Store): void {
  deviceStore.remove(registeredKey)
}
