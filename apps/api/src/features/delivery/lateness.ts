const minuteMs = 60_000

/** Returns the change that holds a late run. */
export function lateChange(lateMs: number): { state: 'held'; heldReason: string } {
  const minutes = Math.floor(lateMs / minuteMs)
  return { state: 'held', heldReason: `It missed its time by ${minutes} minutes. Resume it to send it.` }
}
