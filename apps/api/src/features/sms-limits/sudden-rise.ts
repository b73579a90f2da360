/** Accounts with unused codes in the last hour, and in the same hour of each day before, the newest first. */
export type UnusedCodes = { now: number; before: readonly number[] }

const factor = 5

/** Returns the median of the same hour on the days before: a day of fraud doesn't change it, and neither do nights. */
export function usualOf(before: readonly number[]): number {
  const sorted = [...before].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

/** Returns whether more than five times the usual number have unused codes. A site without many days has the floor. */
export function isSuddenRise({ now, before }: UnusedCodes, floor: number): boolean {
  return now > Math.max(floor, factor * usualOf(before))
}
