export type FakeClock = ReturnType<typeof createFakeClock>

/** Creates a clock that moves only when the test says so. */
export function createFakeClock() {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    /** Runs it after a time. Returns what cancels it. */
    after(ms: number, run: () => void): () => void {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    /** Lets a time pass, with all that happens in it. */
    async pass(ms: number): Promise<void> {
      const end = now + ms
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((each) => each !== due)
        now = Math.max(now, due.at)
        due.run()
        // First runs all that awaits it.
        for (let turns = 0; turns < 12; turns++) await Promise.resolve()
      }
      now = end
    },
  }
}
