const words =
  'the council harbour river voted after long winter engineers measured bridge found that water had risen by two metres since ' +
  'spring and town will build again on higher ground where orchard stood while neighbours asked for light schools trains ' +
  'a report of nine pages explains why costs fell faster than anybody expected in markets across northern coast scientists ' +
  'watched comet return early with dust trail brighter every night until clouds closed over observatory and work moved indoors'

/** Returns paragraphs of about 700 bytes each, the same in every run. */
export function makeParagraphs(count: number): string[] {
  const vocabulary = words.split(' ')
  const next = createNumbers()
  const word = () => vocabulary[next() % vocabulary.length] ?? ''
  return Array.from({ length: count }, () => `${Array.from({ length: 120 }, word).join(' ')}.`)
}

/** Returns texts whose words are as unevenly common as in a newspaper, the same in every run. */
export function makeProse(count: number): string[] {
  const next = createNumbers()
  const word = () => inventWord(Math.floor(vocabularySize ** (next() / largestNumber)))
  return Array.from({ length: count }, () => Array.from({ length: 120 }, word).join(' '))
}

/** Returns the word of this rank: common words are short. */
export function inventWord(rank: number): string {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]
  }
  return word
}

const largestNumber = 2_147_483_647
const vocabularySize = 30_000
const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

// A simple sequence of numbers, because random ones would differ between runs.
function createNumbers(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % largestNumber
    return state
  }
}
