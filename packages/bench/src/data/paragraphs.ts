const words =
  'the council harbour river voted after long winter engineers measured bridge found that water had risen by two metres since ' +
  'spring and town will build again on higher ground where orchard stood while neighbours asked for light schools trains ' +
  'a report of nine pages explains why costs fell faster than anybody expected in markets across northern coast scientists ' +
  'watched comet return early with dust trail brighter every night until clouds closed over observatory and work moved indoors'

/** Returns paragraphs of about 700 bytes each, the same in every run. */
export function makeParagraphs(count: number): string[] {
  const vocabulary = words.split(' ')
  let state = 1
  const next = () => {
    // A simple sequence of numbers, because random ones would differ between runs.
    state = (state * 48_271) % 2_147_483_647
    return vocabulary[state % vocabulary.length] ?? ''
  }
  return Array.from({ length: count }, () => `${Array.from({ length: 120 }, next).join(' ')}.`)
}
