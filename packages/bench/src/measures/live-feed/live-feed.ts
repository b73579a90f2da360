import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { compareBroadcasts } from './broadcast-time.ts'
import { startSides } from './sides.ts'
import { compareMemory } from './socket-memory.ts'

/**
 * Compares NEW_MEMO to thousands of sockets with a bare `ws` server that sends the same frame: the time until the last
 * reader has it, and the memory of an idle socket.
 */
export async function measureLiveFeed(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const sides = await startSides(bench, lifetime)
    const memory = await compareMemory(bench, sides)
    return [...(await compareBroadcasts(bench, sides)), ...memory]
  })
}
