import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { paths } from '@tidings/contracts/paths'
import { getJson, postJson } from '../../lib/api-client.ts'
import type { Store } from '../../lib/store.ts'
import { isRecord } from '../../lib/wire-reading.ts'

/** Whether the gate is on, and whether this browser has passed it. */
export type GateStatus = { isOn: boolean; isPassed: boolean }

/** The session's flag, kept in step with the server's answer; it only steers the screens. */
export const gateFlag = 'isProtectionVerified'

/** Asks the server about the gate: once at start, and again whenever a refusal puts it in doubt. */
export const gateStatus = queryOptions({
  queryKey: ['gate'],
  queryFn: ({ signal }) => getJson(paths.gate, parseGateStatus, signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Tries a password at the gate.
 * @throws {RefusedError} `invalid-password`, `too-many-requests`, `configuration-error`
 */
export function passGate(password: string): Promise<GateStatus> {
  return postJson(paths.gate, { password }, parseGateStatus)
}

/** Whether the content may be read: the gate is off, or passed. */
export function isGateOpen(status: GateStatus): boolean {
  return !status.isOn || status.isPassed
}

/** Notes that the server wants the gate passed (again). */
export function closeGate(queryClient: QueryClient): void {
  queryClient.setQueryData(gateStatus.queryKey, { isOn: true, isPassed: false })
}

/** Writes the answer into the session's flag. */
export function keepGateFlag(store: Store, isOpen: boolean): void {
  if (isOpen) store.set(gateFlag, 'true')
  else store.remove(gateFlag)
}

/**
 * Calls back whenever the gate turns from open to closed or the other way, and for the first answer.
 * @returns stops it
 */
export function watchGate(queryClient: QueryClient, onTurned: (isOpen: boolean) => void): () => void {
  let wasOpen: boolean | null = null
  return queryClient.getQueryCache().subscribe(() => {
    const status = queryClient.getQueryData(gateStatus.queryKey)
    if (status === undefined || isGateOpen(status) === wasOpen) return
    wasOpen = isGateOpen(status)
    onTurned(wasOpen)
  })
}

function parseGateStatus(body: unknown): GateStatus | null {
  const data = isRecord(body) ? body.data : null
  if (!isRecord(data) || typeof data.on !== 'boolean' || typeof data.passed !== 'boolean') return null
  return { isOn: data.on, isPassed: data.passed }
}
