const minuteMs = 60_000
const backoffMinutes = [1, 5, 15, 30, 60]
const longestRetryMs = 6 * 60 * minuteMs

/** Returns when a delivery is tried again after a temporary refusal; null once it has been tried for six hours. */
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
  return at.getTime() - since.getTime() > longestRetryMs ? null : at
}
