import { backoffMinutes, longestRetryMs } from '../retry-times.ts'

const minuteMs = 60_000

/**
 * Returns when a delivery is tried again after a temporary refusal; null six hours after sending began. One that began
 * later, such as a text after quiet hours, is tried a few times all the same.
 */
export function nextAttempt({
  attempts,
  now,
  since,
}: {
  attempts: number
  now: Date
  since: Date
}): Date | null {
  const minutes = backoffMinutes[Math.max(attempts - 1, 0)] ?? 60
  const at = new Date(now.getTime() + minutes * minuteMs)
  const isOver = at.getTime() - since.getTime() > longestRetryMs && attempts > backoffMinutes.length
  return isOver ? null : at
}
