import { paths } from '@tidings/contracts/paths'
import { ShownError } from '../api/error-text.ts'

/** Whether this browser can show notifications; `needs-install` on a phone or tablet of Apple outside of the installed site. */
export type PushSupport = 'ready' | 'needs-install' | 'unsupported'

const timeoutMs = 30_000
const unreachable =
  'Your browser couldn’t reach its notification service. Try again later, or use another browser.'

/** Returns whether this browser can show notifications. */
export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'ready'
  return isAppleMobile() && !matchMedia('(display-mode: standalone)').matches
    ? 'needs-install'
    : 'unsupported'
}

/** Returns whether this is a phone or tablet of Apple. An iPad calls itself a Mac, but a Mac has no touchscreen. */
export function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
}

/** Returns the subscription that the browser has at its maker's push service, or null. */
export async function findSubscription(): Promise<PushSubscription | null> {
  if (pushSupport() !== 'ready') return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/**
 * Subscribes the browser to messages of the sender with a key; ends a subscription of another sender.
 * @throws {ShownError} when the browser can't
 */
export async function subscribe(publicKey: string): Promise<PushSubscription> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('Subscribing took too long')), timeoutMs)
  try {
    return await Promise.race([subscribeNow(publicKey), timeout.promise])
  } catch (cause) {
    throw new ShownError(unreachable, { cause })
  } finally {
    clearTimeout(timer)
  }
}

async function subscribeNow(publicKey: string): Promise<PushSubscription> {
  // The page may not have registered it yet, which changes nothing then.
  await navigator.serviceWorker.register(paths.serviceWorker)
  const { pushManager } = await navigator.serviceWorker.ready
  const current = await pushManager.getSubscription()
  if (current !== null && isFrom(current, publicKey)) return current
  await current?.unsubscribe()
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** Returns whether the sender of a subscription has a key. Not every browser says which. */
export function isFrom({ options }: PushSubscription, publicKey: string): boolean {
  const key = options?.applicationServerKey
  if (key == null) return true
  const text = btoa(String.fromCharCode(...new Uint8Array(key)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey.replace(/=+$/, '')
}
