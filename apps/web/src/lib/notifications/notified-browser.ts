import type { MembershipClient } from '@tidings/client'
import type { PushDevice, PushDevices } from '@tidings/contracts/membership/push'
import type { Store } from '../storage/store.ts'
import { findSubscription, isFrom, subscribe } from './browser-push.ts'
import { findRegistered, forgetRegistered, saveRegistered } from './registered-browser.ts'

type Deps = {
  client: Pick<MembershipClient, 'getPushDevices' | 'addPushDevice' | 'removePushDevice'>
  deviceStore: Store
}

/** Leaving doesn't wait longer for the push service. */
const endTimeoutMs = 3_000

let last: Promise<unknown> = Promise.resolve()

/** Runs one change at a time: a subscription that is being registered must not look like a former member's. */
function oneAtATime<Result>(change: () => Promise<Result>): Promise<Result> {
  const result = last.then(change)
  last = result.catch(() => undefined)
  return result
}

/**
 * Has this browser notified of new editions for a member.
 * @throws {ShownError} when the browser can't
 */
export function turnOn(deps: Deps, memberId: string, publicKey: string): Promise<PushDevice> {
  return oneAtATime(async () => {
    const subscription = await subscribe(publicKey)
    try {
      return await register(deps, memberId, subscription)
    } catch (error) {
      await subscription.unsubscribe().catch(() => false)
      throw error
    }
  })
}

/**
 * Ends the notifications of this browser. The subscription alone is enough: the server removes one that has ended, also
 * when it can't be told now.
 */
export function turnOff(deps: Deps): Promise<void> {
  return oneAtATime(() => turnOffNow(deps))
}

async function turnOffNow({ client, deviceStore }: Deps): Promise<void> {
  const registered = findRegistered(deviceStore)
  const atServer =
    registered === null ? null : client.removePushDevice({ id: registered.deviceId }).catch(() => null)
  await endSubscription(deviceStore)
  await atServer
}

/**
 * Ends the subscription of this browser after its member has left, which has ended its notifications at the server; takes a
 * few seconds at most.
 */
export async function endAfterLeaving(deviceStore: Store): Promise<void> {
  const ending = oneAtATime(() => endSubscription(deviceStore)).catch(() => undefined)
  const timeout = new Promise((resolve) => setTimeout(resolve, endTimeoutMs))
  await Promise.race([ending, timeout])
}

async function endSubscription(deviceStore: Store): Promise<void> {
  forgetRegistered(deviceStore)
  await (await findSubscription())?.unsubscribe()
}

/**
 * Keeps what the server knows about this browser true at a visit of a member: registers a renewed subscription or one of
 * an earlier session, and ends one of another member, or one that the member removed elsewhere. Returns whether anything
 * has changed at the server.
 */
export function renewAtVisit(deps: Deps, memberId: string): Promise<boolean> {
  return oneAtATime(() => renewNow(deps, memberId))
}

async function renewNow(deps: Deps, memberId: string): Promise<boolean> {
  const { client, deviceStore } = deps
  const registered = findRegistered(deviceStore)
  const subscription = await findSubscription()
  if (registered?.memberId !== memberId) {
    if (registered !== null || subscription !== null) await endSubscription(deviceStore)
    return false
  }
  if (Notification.permission !== 'granted') {
    await turnOffNow(deps)
    return true
  }
  const { publicKey, planDelivers, devices } = (await client.getPushDevices()).data
  if (publicKey === null) return false
  const isSame = subscription?.endpoint === registered.endpoint
  const device = devices.find(({ id }) => id === registered.deviceId)
  if (device === undefined && isSame) {
    await endSubscription(deviceStore)
    return false
  }
  if (isSame && isFrom(subscription, publicKey) && device?.current) return false
  const renewed = await subscribe(publicKey)
  if (renewed.endpoint !== registered.endpoint) {
    // The server adds none without a plan that delivers: it is added at a visit with the next one.
    if (!planDelivers) return false
    // First, because there may be no room for both.
    if (device !== undefined) await client.removePushDevice({ id: device.id })
  }
  await register(deps, memberId, renewed)
  return true
}

/** Returns whether this browser is notified for a member. */
export async function isTurnedOn(
  deviceStore: Store,
  memberId: string,
  { devices }: Pick<PushDevices, 'devices'>,
): Promise<boolean> {
  const registered = findRegistered(deviceStore)
  if (registered?.memberId !== memberId || !isListed(devices, registered.deviceId)) return false
  if (Notification.permission !== 'granted') return false
  return (await findSubscription())?.endpoint === registered.endpoint
}

async function register({ client, deviceStore }: Deps, memberId: string, subscription: PushSubscription) {
  const { endpoint } = subscription
  const { keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const { data: device } = await client.addPushDevice({ endpoint, keys: { p256dh, auth } })
  saveRegistered(deviceStore, { memberId, deviceId: device.id, endpoint })
  return device
}

function isListed(devices: readonly { id: string }[], deviceId: string): boolean {
  return devices.some(({ id }) => id === deviceId)
}
