/** One row of the result. Without a target it is for information. */
export type Row = {
  measure: string
  figure: string
  /** The figure that ours is compared with. */
  alternative?: string
  ratio?: string
  target?: string
  passed?: boolean
}

const columns = ['measure', 'figure', 'alternative', 'ratio', 'target'] as const
const heads: Record<(typeof columns)[number], string> = {
  measure: 'Measure',
  figure: 'Tidings',
  alternative: 'Alternative',
  ratio: 'Ratio',
  target: 'Target',
}

/** Formats the rows as a Markdown table with aligned columns. */
export function formatRows(rows: readonly Row[]): string {
  const lines = [
    [...columns.map((column) => heads[column]), 'Verdict'],
    ...rows.map((row) => [...columns.map((column) => row[column] || '–'), verdictOf(row)]),
  ]
  const widths = [...columns, 'verdict'].map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  const [head = [], ...body] = lines
  return [head, rule, ...body]
    .map((line) => `| ${line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`)
    .join('\n')
}

/** Returns whether any target was missed. */
export function hasMissed(rows: readonly Row[]): boolean {
  return rows.some(({ passed }) => passed === false)
}

function verdictOf({ passed }: Row): string {
  if (passed === undefined) return 'for information'
  return passed ? 'reached' : 'MISSED'
}
