/** Stops everything that was started, in reverse order. */
export type Lifetime = {
  /**
   * Registers how to stop something; after the end it stops at once. Call it before waiting for a start, so that an
   * interrupted start stops too.
   */
  atEnd(end: () => Promise<void>): void
  /** Stops everything. May be called twice. Never rejects, but returns the errors. */
  end(): Promise<unknown[]>
  /** Runs `work` and then stops what it started, even after a failure. */
  within<T>(work: (inner: Lifetime) => Promise<T>): Promise<T>
}

export function createLifetime(): Lifetime {
  const ends = new Set<() => Promise<void>>()
  let ended: Promise<unknown[]> | undefined

  async function endAll() {
    const failures: unknown[] = []
    for (const end of [...ends].reverse()) await end().catch((error: unknown) => failures.push(error))
    return failures
  }

  function end() {
    ended ??= endAll()
    return ended
  }

  return {
    atEnd(stop) {
      if (ended) void ended.then(stop).catch(() => {})
      else ends.add(stop)
    },
    end,
    async within(work) {
      if (ended) throw new Error('It is all ending.')
      const inner = createLifetime()
      const endInner = async () => {
        const [failure] = await inner.end()
        if (failure !== undefined) throw failure
      }
      ends.add(endInner)
      try {
        return await work(inner)
      } finally {
        await endInner()
        ends.delete(endInner)
      }
    },
  }
}
