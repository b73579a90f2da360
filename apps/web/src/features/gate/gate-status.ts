import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type GateReply, gateReply } from '@tidings/contracts/gate'
import { paths } from '@tidings/contracts/paths'
import type { SiteStart } from '@tidings/contracts/site-start'
import { getJson, postJson } from '#lib/api-client.ts'
import type { Clock } from '#lib/clock.ts'
import { keptForMs } from '#lib/kept.ts'
import type { Store } from '#lib/store.ts'

/** Whether the gate is on, and whether this browser has passed it. */
export type GateStatus = { isOn: boolean; isPassed: boolean }

/** The session's flag, a copy of the server's reply; it only decides which screen is shown. */
const gateFlag = 'isProtectionVerified'

const passedAtKey = 'tidings:gate-passed-at'

type GateStores = { sessionStore: Store; deviceStore: Store; clock: Clock }

/** Reads the gate's status: once at start, and again when the server refuses a request or a socket. */
export const gateStatus = queryOptions({
  queryKey: ['gate'],
  queryFn: async ({ signal }) => toGateStatus(await getJson(paths.gate, gateReply, signal)),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Submits a password to the gate.
 * @throws {ApiError} `invalid-password`, `too-many-requests`, `configuration-error`
 */
export async function passGate(password: string): Promise<GateStatus> {
  return toGateStatus(await postJson(paths.gate, { password }, gateReply))
}

/** Whether the content may be read: the gate is off, or passed. */
export function isGateOpen(status: GateStatus): boolean {
  return !status.isOn || status.isPassed
}

/** Takes the gate's status from the page's shell. An open gate is confirmed in the background. */
export function seedGate(queryClient: QueryClient, { gate }: SiteStart): void {
  queryClient.setQueryData(gateStatus.queryKey, toGateStatus({ data: gate }))
  // The first component that uses the status reads it again, once the first screen is drawn.
  if (gate.passed) {
    void queryClient.invalidateQueries({ queryKey: gateStatus.queryKey, refetchType: 'none' })
  }
}

/** Whether the server said so in this session, or the gate was passed on this device in the last 30 days. */
export function wasGateOpen({ sessionStore, deviceStore, clock }: GateStores): boolean {
  return sessionStore.get(gateFlag) === 'true' || isPassRecent(deviceStore.get(passedAtKey), clock)
}

function isPassRecent(passedAt: string | null, clock: Clock): boolean {
  return passedAt !== null && clock.now().getTime() - Number(passedAt) < keptForMs
}

/** Marks the gate as closed, after the server has required it to be passed. */
export function closeGate(queryClient: QueryClient): void {
  queryClient.setQueryData(gateStatus.queryKey, { isOn: true, isPassed: false })
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

/** Whether a pass of this device is too old for what was kept with it. */
export function hasExpiredPass({ deviceStore, clock }: GateStores): boolean {
  const passedAt = deviceStore.get(passedAtKey)
  return passedAt !== null && !isPassRecent(passedAt, clock)
}

/** Calls back with the first status and whenever the gate opens or closes. */
export function watchGate(queryClient: QueryClient, onChange: (isOpen: boolean) => void): void {
  let wasOpen: boolean | null = null
  queryClient.getQueryCache().subscribe(() => {
    const status = queryClient.getQueryData(gateStatus.queryKey)
    if (status === undefined || isGateOpen(status) === wasOpen) return
    wasOpen = isGateOpen(status)
    onChange(wasOpen)
  })
}

function toGateStatus({ data }: GateReply): GateStatus {
  return { isOn: data.on, isPassed: data.passed }
}
