import type { Bench } from '../../bench.ts'
import type { Row } from '../../results/table.ts'
import { compareBroadcasts } from './broadcast-time.ts'
import { startSides } from './sides.ts'
import { compareMemory } from './socket-memory.ts'

/**
 * NEW_MEMO to thousands of sockets against a loop over a bare `ws` server's sockets that sends the same frame: how long
 * until the last reader has it, and how much memory an idle socket takes.
 */
export async function measureLiveFeed(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const sides = await startSides(bench, lifetime)
    const memory = await compareMemory(bench, sides)
    return [...(await compareBroadcasts(bench, sides)), ...memory]
  })
}
