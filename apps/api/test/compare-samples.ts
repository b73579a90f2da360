/** What two sets of times say of each other. */
export type Comparison = {
  /** Medians, in the unit of the samples. */
  medians: readonly [number, number]
  /** How many standard deviations the rank sum is from that of samples of one kind (Mann–Whitney). */
  z: number
  /** False only when both tell them apart: medians that are far from each other, and ranks beyond chance. */
  areAlike: boolean
}

// One pair of like samples in a million lies beyond it; to be told apart, the medians must be as well.
const beyondChance = 5
const farApart = 0.25

/** Compares two sets of samples that were taken in turns, so that a busy machine slows down both. */
export function compareSamples(first: readonly number[], second: readonly number[]): Comparison {
  const medians = [medianOf(first), medianOf(second)] as const
  const z = rankDistance(first, second)
  const [low, high] = medians[0] < medians[1] ? medians : ([medians[1], medians[0]] as const)
  return { medians, z, areAlike: Math.abs(z) < beyondChance || (high - low) / high < farApart }
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
