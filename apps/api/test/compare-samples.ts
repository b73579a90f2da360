/** The comparison of two sets of durations. */
export type Comparison = {
  /** Medians, in the unit of the samples. */
  medians: readonly [number, number]
  /** The distance of the rank sum from that of equal distributions, in standard deviations (Mann–Whitney). */
  z: number
  /** False only when both the medians and the ranks differ significantly. */
  areAlike: boolean
}

// Equal distributions exceed it once in a million comparisons.
const maxDeviation = 5
const maxMedianDifference = 0.25

/** Compares two sets of samples, taken alternately so that a busy machine slows down both. */
export function compareSamples(first: readonly number[], second: readonly number[]): Comparison {
  const medians = [medianOf(first), medianOf(second)] as const
  const z = rankDistance(first, second)
  const [low, high] = medians[0] < medians[1] ? medians : ([medians[1], medians[0]] as const)
  return { medians, z, areAlike: Math.abs(z) < maxDeviation || (high - low) / high < maxMedianDifference }
}

function medianOf(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
}

function rankDistance(first: readonly number[], second: readonly number[]): number {
  const wins = first.reduce(
    (sum, one) =>
      sum + second.reduce((count, other) => count + (one > other ? 1 : one === other ? 0.5 : 0), 0),
    0,
  )
  const [n, m] = [first.length, second.length]
  return (wins - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}
