import { ratioText, spreadText } from './figures.ts'
import { type Pair, type Pairs, ratioOf } from './pairs.ts'
import type { Row } from './table.ts'

type Text = (figure: number) => string

/** Returns the row of a figure that may be at most `limit`. */
export function limitRow(measure: string, figure: number, limit: number, text: Text = String): Row {
  return { measure, figure: text(figure), target: `≤ ${text(limit)}`, passed: figure <= limit }
}

/** Returns the row of compared figures. Without a target it is for information. */
export function pairsRow(
  measure: string,
  { ours, other, ratio, spread }: Pairs,
  options: { text: Text; other: string; min?: number | undefined; max?: number | undefined },
): Row {
  const { text, min, max } = options
  const row = {
    measure,
    figure: text(ours),
    alternative: `${text(other)} ${options.other}`,
    ratio: spreadText(ratio, spread),
  }
  if (min !== undefined) return { ...row, target: `≥ ${min}`, passed: ratio >= min }
  return max === undefined ? row : { ...row, target: `≤ ${max}`, passed: ratio <= max }
}

/** Returns a function that prints each pair: `pair 2: 1,204/s, bare 1,310/s: 0.92`. */
export function pairPrinter(say: (line: string) => void, text: Text, other = 'bare') {
  return (pair: Pair, taken: number): void =>
    say(`  pair ${taken}: ${text(pair.ours)}, ${other} ${text(pair.other)}: ${ratioText(ratioOf(pair))}`)
}
