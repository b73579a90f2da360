import { systemClock } from '#platform/clock.ts'

// Workers have the machine's clock. In this time zone no slot is near, and no digest is due, whenever a test runs.
const hoursToNoon = 12 - systemClock.now().getUTCHours()

/** A time zone in which it is between noon and 1 PM now. The names of these zones count hours behind UTC. */
export const noonZone =
  hoursToNoon === 0 ? 'UTC' : `Etc/GMT${hoursToNoon > 0 ? '-' : '+'}${Math.abs(hoursToNoon)}`

/** Returns today's date in that time zone. */
export function noonDate(): { year: number; month: number; day: number } {
  const local = new Date(systemClock.now().getTime() + hoursToNoon * 3_600_000)
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() }
}
