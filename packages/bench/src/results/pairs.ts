import { median } from './median.ts'

/** Two figures of the same kind, taken one right after the other. */
export type Pair = { ours: number; other: number }

export type Pairs = {
  pairs: Pair[]
  /** Medians of each side, for people to read. */
  ours: number
  other: number
  /** The median of the pairs' own ratios, ours to the other: what a target is held against. */
  ratio: number
  /** The smallest and the largest of them. */
  spread: [least: number, most: number]
}

/**
 * Takes pairs of figures in turns. Each pair's order is the reverse of the last one's, so that neither side gains by
 * going first or by what the machine does meanwhile.
 */
export async function takePairs(
  count: number,
  sides: { ours: () => Promise<number>; other: () => Promise<number> },
  onPair: (pair: Pair, taken: number) => void = () => {},
): Promise<Pairs> {
  const pairs: Pair[] = []
  while (pairs.length < count) {
    const pair = pairs.length % 2 === 0 ? await oursFirst(sides) : await otherFirst(sides)
    pairs.push(pair)
    onPair(pair, pairs.length)
  }
  return summarize(pairs)
}

/** Medians and ratios of pairs. Throws when there are none. */
export function summarize(pairs: Pair[]): Pairs {
  const ratios = pairs.map(ratioOf)
  return {
    pairs,
    ours: median(pairs.map(({ ours }) => ours)),
    other: median(pairs.map(({ other }) => other)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}

export function ratioOf({ ours, other }: Pair): number {
  return ours / other
}

async function oursFirst(sides: { ours: () => Promise<number>; other: () => Promise<number> }) {
  const ours = await sides.ours()
  return { ours, other: await sides.other() }
}

async function otherFirst(sides: { ours: () => Promise<number>; other: () => Promise<number> }) {
  const other = await sides.other()
  return { ours: await sides.ours(), other }
}
