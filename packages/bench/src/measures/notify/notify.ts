import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { compareCommits } from './commits.ts'
import { measureLikes } from './likes.ts'

/** Measures what notifications cost: commits with and without one, and those of 1,000 likes per second. */
export async function measureNotify(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => [
    ...(await compareCommits(bench, lifetime)),
    ...(await measureLikes(bench, lifetime)),
  ])
}
