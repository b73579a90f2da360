/** Everything that has to be ended again, in the reverse order of its beginning. */
export type Lifetime = {
  /**
   * Remembers how to end something; when all has ended already, it ends at once. To be called before the wait for its start,
   * so that an interrupted start ends too.
   */
  atEnd(end: () => Promise<void>): void
  /** Ends what there is. Safe to call twice; never rejects, but answers with what went wrong. */
  end(): Promise<unknown[]>
  /** Ends what was begun since, after `work`, whether it succeeds or not. */
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
