import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { GateReply } from '@tidings/contracts/gate'
import * as routes from '@tidings/contracts/routes'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { call } from '#lib/api/api-client.ts'

/** Whether the gate is on, and whether this browser has passed it. */
export type GateStatus = { isOn: boolean; isPassed: boolean }

/** Reads the gate's status: once at start, and again when the server refuses a request or a socket. */
export const gateStatus = queryOptions({
  queryKey: ['gate'],
  queryFn: async ({ signal }) => toGateStatus(await call(routes.getGate, {}, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/**
 * Submits a password to the gate.
 * @throws {ApiError} `invalid-password`, `too-many-requests`, `configuration-error`
 */
export async function passGate(password: string): Promise<GateStatus> {
  return toGateStatus(await call(routes.passGate, { body: { password } }))
}

/** Returns whether the content may be read: the gate is off, or passed. */
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

/** Marks the gate as closed, after the server has required it to be passed. */
export function closeGate(queryClient: QueryClient): void {
  queryClient.setQueryData(gateStatus.queryKey, { isOn: true, isPassed: false })
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
