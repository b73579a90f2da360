import type { Clock } from '#lib/browser/clock.ts'
import { keptForMs } from '#lib/storage/kept.ts'
import type { Store } from '#lib/storage/store.ts'

/** The session's flag, a copy of the server's reply; it only decides which screen is shown. */
const gateFlag = 'isProtectionVerified'

const passedAtKey = 'tidings:gate-passed-at'

type GateStores = { sessionStore: Store; deviceStore: Store; clock: Clock }

/** Returns whether the server said so in this session, or the gate was passed on this device in the last 30 days. */
export function wasGateOpen({ sessionStore, deviceStore, clock }: GateStores): boolean {
  return sessionStore.get(gateFlag) === 'true' || isPassRecent(deviceStore.get(passedAtKey), clock)
}

function isPassRecent(passedAt: string | null, clock: Clock): boolean {
  return passedAt !== null && clock.now().getTime() - Number(passedAt) < keptForMs
}

/** Stores the server's reply for the session, and for how long what is kept on this device may be read. */
export function saveGateFlag({ sessionStore, deviceStore, clock }: GateStores, isOpen: boolean): void {
  if (!isOpen) {
    sessionStore.remove(gateFlag)
    deviceStore.remove(passedAtKey)
    return
  }
  sessionStore.set(gateFlag, 'true')
  if (!isPassRecent(deviceStore.get(passedAtKey), clock)) {
    deviceStore.set(passedAtKey, String(clock.now().getTime()))
  }
}

/** Returns whether a pass of this device is too old for what was kept with it. */
export function hasExpiredPass({ deviceStore, clock }: GateStores): boolean {
  const passedAt = deviceStore.get(passedAtKey)
  return passedAt !== null && !isPassRecent(passedAt, clock)
}
