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
  options: { text: Text; other: string; least?: number | undefined; most?: number | undefined },
): Row {
  const { text, least, most } = options
  const row = {
    measure,
    figure: text(ours),
    alternative: `${text(other)} ${options.other}`,
    ratio: spreadText(ratio, spread),
  }
  if (least !== undefined) return { ...row, target: `≥ ${least}`, passed: ratio >= least }
  return most === undefined ? row : { ...row, target: `≤ ${most}`, passed: ratio <= most }
}

/** Returns a function that prints each pair: `pair 2: 1,204/s, bare 1,310/s: 0.92`. */
export function pairPrinter(say: (line: string) => void, text: Text, other = 'bare') {
  return (pair: Pair, taken: number): void =>
    say(`  pair ${taken}: ${text(pair.ours)}, ${other} ${text(pair.other)}: ${ratioText(ratioOf(pair))}`)
}
