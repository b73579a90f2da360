/** Begins the line below a corrected memo: `Corrected at 3:12 PM: …`. */
export const correctedAt = 'Corrected at'

/** Returns the time of a correction, such as `3:12 PM`, in a time zone; without one, in that of the device. */
export function formatCorrectionTime(at: Date, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const time = at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', ...zone })
  // Some browsers write a narrow space, which few fonts have.
  return time.replace(/\s/, '\u00a0')
}
