import { milliseconds, whole } from '../../results/figures.ts'
import { median } from '../../results/median.ts'
import { summarize, takePairs } from '../../results/pairs.ts'
import { pairPrinter, pairsRow } from '../../results/rows.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { broadcast, close, open, type Sides } from './sides.ts'

const maxRatio = 1.5
const framesInOneRun = 5

/** Measures how long a frame takes to reach the last of 2,000 readers. */
export async function compareBroadcasts({ quick, progress }: Bench, sides: Sides): Promise<Row[]> {
  const sockets = 2_000
  const loops: Record<keyof Sides, number[]> = { ours: [], bare: [] }
  const run = async (side: keyof Sides) => {
    const frames = []
    for (let count = 0; count < framesInOneRun; count += 1) frames.push(await broadcast(sides[side]))
    loops[side].push(median(frames.map(({ loopMs }) => loopMs)))
    return median(frames.map(({ allMs }) => allMs))
  }
  const result = await progress.step(`Sending frames to ${whole(sockets)} sockets`, async () => {
    await open(sides.ours, sockets)
    await open(sides.bare, sockets)
    await run('ours')
    await run('bare')
    loops.ours = []
    loops.bare = []
    const pairs = await takePairs(
      quick ? 3 : 15,
      { ours: () => run('ours'), other: () => run('bare') },
      pairPrinter(progress.say, milliseconds),
    )
    await close(sides.ours)
    await close(sides.bare)
    return pairs
  })
  const loopPairs = summarize(loops.ours.map((ours, index) => ({ ours, other: loops.bare[index] ?? 0 })))
  const options = { text: milliseconds, other: 'bare ws' }
  return [
    pairsRow(`NEW_MEMO to the last of ${whole(sockets)} sockets`, result, { ...options, max: maxRatio }),
    pairsRow('of that, from the first socket to the last', loopPairs, options),
  ]
}
