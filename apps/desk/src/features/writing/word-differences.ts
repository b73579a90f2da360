/** A run of words, and whether the other text lacks it. */
export type Run = { text: string; isOnlyHere: boolean }

const mostWords = 3_000

/** Compares two texts by words. Returns the runs of each; texts that are too long differ as a whole. */
export function compareWords(one: string, other: string): [Run[], Run[]] {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  if (left.length > mostWords || right.length > mostWords)
    return [[{ text: one, isOnlyHere: true }], [{ text: other, isOnlyHere: true }]]
  const common = commonLengths(left, right)
  const [lonelyLeft, lonelyRight] = [new Set<number>(), new Set<number>()]
  let [i, j] = [0, 0]
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) [i, j] = [i + 1, j + 1]
    else if (j >= right.length || (i < left.length && at(common, i + 1, j) >= at(common, i, j + 1)))
      lonelyLeft.add(i++)
    else lonelyRight.add(j++)
  }
  return [runsOf(left, lonelyLeft), runsOf(right, lonelyRight)]
}

/** Splits a text into words, each with the space before it. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

function at(table: readonly Uint16Array[], row: number, column: number): number {
  return table[row]?.[column] ?? 0
}

/** Returns how many words the ends of both texts have in common, by where they begin. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint16Array[] {
  const table = [...left, ''].map(() => new Uint16Array(right.length + 1))
  for (let i = left.length - 1; i >= 0; i--) {
    const row = table[i]
    if (row === undefined) continue
    for (let j = right.length - 1; j >= 0; j--) {
      const isSame = left[i] === right[j]
      row[j] = isSame ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  }
  return table
}

function runsOf(words: readonly string[], lonely: ReadonlySet<number>): Run[] {
  const runs: Run[] = []
  for (const [index, text] of words.entries()) {
    const isOnlyHere = lonely.has(index)
    const last = runs.at(-1)
    if (last !== undefined && last.isOnlyHere === isOnlyHere) last.text += text
    else runs.push({ text, isOnlyHere })
  }
  return runs
}
