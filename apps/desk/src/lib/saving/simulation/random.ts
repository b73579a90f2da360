/** Chooses at random, the same for the same seed. */
export type Random = {
  /** Returns true in this share of the cases. */
  is: (share: number) => boolean
  /** Returns an integer from 0 to below `end`. */
  below: (end: number) => number
  /** Returns one of some values, of which there is at least one. */
  oneOf: <Value>(values: readonly [Value, ...Value[]]) => Value
}

/** Creates the choices of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    is: (share) => next() < share,
    below,
    oneOf: (values) => values[below(values.length)] ?? values[0],
  }
}
