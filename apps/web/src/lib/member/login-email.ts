import type { Store } from '../storage/store.ts'

const emailKey = 'email'

/** Keeps the address of the last login on this device. */
export function rememberEmail(deviceStore: Store, email: string): void {
  deviceStore.set(emailKey, email)
}

/** Returns the address of the last login on this device, or ''. */
export function rememberedEmail(deviceStore: Store): string {
  return deviceStore.get(emailKey) ?? ''
}

/** Removes the address of the last login from this device. */
export function forgetEmail(deviceStore: Store): void {
  deviceStore.remove(emailKey)
}
