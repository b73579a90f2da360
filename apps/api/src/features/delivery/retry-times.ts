/** How long it waits before each further try, in minutes; the last one from then on. */
export const backoffMinutes = [1, 5, 15, 30, 60] as const

/** How long after sending began a message may be tried again. */
export const longestRetryMs = 6 * 3_600_000
