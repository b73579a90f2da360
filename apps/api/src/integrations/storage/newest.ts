/** Returns the latest of these times; null if there is none. */
export function newestOf(times: readonly Date[]): Date | null {
  return times.reduce<Date | null>((newest, time) => (newest === null || time > newest ? time : newest), null)
}
