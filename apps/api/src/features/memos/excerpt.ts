import { isShortWord } from '#platform/text/matches-words.ts'

const before = 60
const most = 200

/** Returns the part of a plain text around the first of the typed words that it has; without any, its beginning. */
export function excerptOf(text: string, typed = ''): string {
  const oneLine = text.replace(/\s+/g, ' ').trim()
  const lowered = oneLine.toLowerCase()
  const places = typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => placeOf(word, lowered))
    .filter((place) => place >= 0)
  const wanted = Math.max(0, Math.min(...places, oneLine.length) - before)
  const start = places.length === 0 || wanted === 0 ? 0 : oneLine.indexOf(' ', wanted) + 1
  const cut = oneLine.slice(start, start + most)
  const end = start + most < oneLine.length ? cut.lastIndexOf(' ') : cut.length
  const shown = end > 0 ? cut.slice(0, end) : cut
  return `${start > 0 ? '…' : ''}${shown}${start + shown.length < oneLine.length ? '…' : ''}`
}

/** Returns where the search of the desk finds a word; -1 if it doesn't. */
function placeOf(word: string, text: string): number {
  if (!isShortWord(word)) return text.indexOf(word)
  const starts = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index)
  return starts.find((start) => text.startsWith(word, start)) ?? text.indexOf(word)
}
