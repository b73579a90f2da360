/** A check did not finish in time. */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError'
}

/**
 * Returns a function that rejects with {@link TimeLimitError} after `limitMs`. A slow run goes on, and later calls wait for
 * it instead of starting another: a database or disk that hangs would otherwise use up all connections or threads.
 */
export function withinTimeLimit<T>(run: () => Promise<T>, limitMs: number) {
  let running: Promise<T> | null = null
  return async (): Promise<T> => {
    running ??= run().finally(() => {
      running = null
    })
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new TimeLimitError()), limitMs)
    try {
      return await Promise.race([running, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
