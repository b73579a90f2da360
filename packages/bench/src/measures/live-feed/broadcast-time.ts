import type { Bench } from '../../bench.ts'
import { milliseconds, ratioText, spreadText, whole } from '../../results/figures.ts'
import { median } from '../../results/median.ts'
import { type Pairs, ratioOf, summarize, takePairs } from '../../results/pairs.ts'
import type { Row } from '../../results/table.ts'
import { broadcast, close, open, type Sides } from './sides.ts'

const mostRatio = 1.5
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
      (pair, taken) =>
        progress.say(
          `  pair ${taken}: ${milliseconds(pair.ours)}, bare ${milliseconds(pair.other)}: ${ratioText(ratioOf(pair))}`,
        ),
    )
    await close(sides.ours)
    await close(sides.bare)
    return pairs
  })
  const loopPairs = summarize(loops.ours.map((ours, index) => ({ ours, other: loops.bare[index] ?? 0 })))
  const row = (measure: string, pairs: Pairs, target: number | null): Row => ({
    measure,
    figure: milliseconds(pairs.ours),
    alternative: `${milliseconds(pairs.other)} bare ws`,
    ratio: spreadText(pairs.ratio, pairs.spread),
    target: target === null ? '' : `≤ ${target}`,
    passed: target === null ? null : pairs.ratio <= target,
  })
  return [
    row(`NEW_MEMO to the last of ${whole(sockets)} sockets`, result, mostRatio),
    row('of that, from the first socket to the last', loopPairs, null),
  ]
}
