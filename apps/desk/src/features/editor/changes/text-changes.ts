import { compareWords } from '#features/writing/word-differences.ts'

/** Words of a text that differ from those of an earlier one, by where they stand in the text. */
export type TextChanges = {
  inserted: { from: number; to: number }[]
  deleted: { at: number; text: string }[]
}

/** Finds the words that a text has gained and lost. */
export function textChanges(before: string, now: string): TextChanges {
  const changes: TextChanges = { inserted: [], deleted: [] }
  const [lost, gained] = compareWords(before, now)
  const lostRuns = [...lost]
  let at = 0
  for (const { isOnlyHere, text: words } of [...gained, { isOnlyHere: true, text: '' }]) {
    // Old words stand before the new ones.
    takeLost(lostRuns, isOnlyHere ? 0 : words.length, (text, offset) => {
      changes.deleted.push({ at: at + offset, text })
    })
    if (isOnlyHere && words !== '') changes.inserted.push({ from: at, to: at + words.length })
    at += words.length
  }
  return changes
}

type LostRun = { text: string; isOnlyHere: boolean }

/** Takes the runs of the earlier text up to a length that both texts have in common. */
function takeLost(runs: LostRun[], length: number, onLost: (text: string, offset: number) => void): void {
  let offset = 0
  for (let run = runs[0]; run !== undefined; run = runs[0]) {
    if (run.isOnlyHere) onLost(run.text, offset)
    else if (offset + run.text.length > length) {
      runs[0] = { ...run, text: run.text.slice(length - offset) }
      return
    } else offset += run.text.length
    runs.shift()
  }
}
