import { readMemory } from '../../probes/memory.ts'
import { ratioText, whole } from '../../results/figures.ts'
import { takePairs } from '../../results/pairs.ts'
import { pairPrinter, pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { close, open, type Sides } from './sides.ts'

const maxRatio = 1.5

/** Measures the memory of each of 3,000 idle sockets. */
export async function compareMemory({ quick, progress }: Bench, sides: Sides): Promise<Row[]> {
  const sockets = 3_000
  // A process returns little memory to the system, so only its first growth belongs to the sockets.
  const firstResident: Partial<Record<keyof Sides, number>> = {}
  const run = async (name: keyof Sides) => {
    const side = sides[name]
    const before = await readMemory(side.probePort)
    await open(side, sockets)
    const after = await readMemory(side.probePort)
    await close(side)
    firstResident[name] ??= (after.resident - before.resident) / sockets
    return (after.objects - before.objects) / sockets
  }
  const result = await progress.step(`Holding ${whole(sockets)} idle sockets`, async () => {
    // Creates what a server creates once.
    for (const side of [sides.ours, sides.bare]) {
      await open(side, 200)
      await close(side)
    }
    return await takePairs(
      quick ? 2 : 7,
      { ours: () => run('ours'), other: () => run('bare') },
      pairPrinter(progress.say, bytes),
    )
  })
  const { ours = Number.NaN, bare = Number.NaN } = firstResident
  const options = { text: bytes, other: 'bare ws', max: maxRatio }
  return [
    pairsRow(`Memory of an idle socket, of ${whole(sockets)}`, result, options),
    {
      measure: 'the same as the system sees it, first time',
      figure: bytes(ours),
      alternative: `${bytes(bare)} bare ws`,
      ratio: ratioText(ours / bare),
    },
  ]
}

function bytes(count: number): string {
  return `${whole(count)} B`
}
