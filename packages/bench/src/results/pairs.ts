import { median } from './median.ts'

/** Two figures of one measure, taken one right after the other. */
export type Pair = { ours: number; other: number }

export type Pairs = {
  pairs: Pair[]
  /** The median of each side. */
  ours: number
  other: number
  /** The median of the ratios of each pair (ours to the other), compared with the target. */
  ratio: number
  /** The smallest and the largest ratio. */
  spread: [min: number, max: number]
}

/** Measures pairs of figures. Each pair reverses the order of the last one, so that neither side gains by being first. */
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

/** Returns the medians and ratios of pairs. Throws without pairs. */
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
