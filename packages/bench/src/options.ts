import { type MeasureName, measureNames } from './measure-names.ts'

export type Options = {
  names: readonly MeasureName[]
  /** Fewer and shorter pairs: to check that everything runs, not for figures. */
  quick: boolean
}

/** Parses the command line: names of measures (by default all) and `--quick`. Throws with an unknown argument. */
export function parseOptions(words: readonly string[]): Options {
  const given = words.filter((word) => word !== '--' && word !== '--quick')
  for (const word of given) {
    if (!measureNames.some((name) => name === word)) {
      throw new Error(
        `'${word}' is no measure. They are ${measureNames.join(', ')}; --quick makes them short.`,
      )
    }
  }
  const names = given.length === 0 ? measureNames : measureNames.filter((name) => given.includes(name))
  return { names, quick: words.includes('--quick') }
}
