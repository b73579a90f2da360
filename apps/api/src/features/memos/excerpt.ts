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
    .map((word) => lowered.indexOf(word))
    .filter((place) => place >= 0)
  const wanted = Math.max(0, Math.min(...places, oneLine.length) - before)
  const start = places.length === 0 || wanted === 0 ? 0 : oneLine.indexOf(' ', wanted) + 1
  const cut = oneLine.slice(start, start + most)
  const end = start + most < oneLine.length ? cut.lastIndexOf(' ') : cut.length
  const shown = end > 0 ? cut.slice(0, end) : cut
  return `${start > 0 ? '…' : ''}${shown}${start + shown.length < oneLine.length ? '…' : ''}`
}
