import { ratioText, spreadText } from '../../results/figures.ts'
import { type Pair, type Pairs, summarize } from '../../results/pairs.ts'
import type { Row } from '../../results/table.ts'

/** A small site, a second one like it, and a large one. */
export type Sizes<Site> = { small: Site; again: Site; large: Site }

/** The large site compared with the small one, and the noise between the two small ones. */
export type AgainstNoise = { scaled: Pairs; noise: Pairs }

// Smaller differences count as noise on any machine.
const minNoise = 1.05

/** Measures all three sites in each round, each time in another order, so that none benefits from its place. */
export async function compareWithNoise<Site>(
  { small, again, large }: Sizes<Site>,
  rounds: number,
  run: (site: Site) => Promise<number>,
): Promise<AgainstNoise> {
  const scaledPairs: Pair[] = []
  const noisePairs: Pair[] = []
  for (let round = 0; round < rounds; round += 1) {
    const order = [small, large, again]
    const turned = [...order.slice(round % 3), ...order.slice(0, round % 3)]
    const figures = new Map<Site, number>()
    for (const site of turned) figures.set(site, await run(site))
    const at = (site: Site) => figures.get(site) ?? Number.NaN
    scaledPairs.push({ ours: at(large), other: at(small) })
    noisePairs.push({ ours: at(again), other: at(small) })
  }
  return { scaled: summarize(scaledPairs), noise: summarize(noisePairs) }
}

/** Returns the row of the table. The target is met when the difference is within the noise. */
export function againstNoiseRow(
  measure: string,
  { scaled, noise }: AgainstNoise,
  { small, text }: { small: string; text: (figure: number) => string },
): Row {
  const limit = Math.max(minNoise, noise.spread[1], 1 / noise.spread[0])
  return {
    measure,
    figure: text(scaled.ours),
    alternative: `${text(scaled.other)} ${small}`,
    ratio: spreadText(scaled.ratio, scaled.spread),
    target: `≤ ${ratioText(limit)} (${small} against itself)`,
    passed: scaled.ratio <= limit,
  }
}
