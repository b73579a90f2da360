import { type MeasureName, measureNames } from './measure-names.ts'

export type Options = {
  names: readonly MeasureName[]
  /** Fewer and shorter pairs: to see that everything runs, not to quote. */
  quick: boolean
}

/** Reads the words of the command line: names of measures (all without any) and `--quick`. Throws naming a word it does not know. */
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
