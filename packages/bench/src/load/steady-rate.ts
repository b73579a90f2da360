/** The concurrency of repeated work, and its lead and measured times. */
export type Pace = { atOnce: number; leadSeconds: number; seconds: number }

/** Returns how often repeated work finishes per second, counted after a lead time. `now` is in milliseconds. */
export async function steadyRate(
  { atOnce, leadSeconds, seconds }: Pace,
  work: (index: number) => Promise<void>,
  now: () => number = () => performance.now(),
): Promise<number> {
  const from = now() + leadSeconds * 1_000
  const until = from + seconds * 1_000
  let begun = 0
  let done = 0
  const keepDoing = async () => {
    while (now() < until) {
      begun += 1
      await work(begun - 1)
      const at = now()
      if (at >= from && at < until) done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, keepDoing))
  return done / seconds
}
