import { dropCutWord } from '#platform/text/cut-text.ts'

const voidTags = new Set(['br', 'hr'])
const ellipsis = '…'

/**
 * Cuts clean HTML to at most `maxBytes` (and a few for the end), between words and with every element closed.
 * Returns it whole where it fits.
 */
export function shortenHtml(html: string, maxBytes: number): string {
  if (Buffer.byteLength(html) <= maxBytes) return html
  const open: { tag: string; start: number; end: number }[] = []
  let kept = ''
  let room = maxBytes
  for (const [token, slash, tag] of html.matchAll(/<(\/?)([a-z\d]+)[^>]*>|[^<]+/g)) {
    if (tag === undefined) {
      const text = shortenText(token, room)
      kept += text
      room -= Buffer.byteLength(text)
      if (text !== token) break
    } else if (slash === '/') {
      kept += token
      open.pop()
    } else {
      // Its end tag has its place from the start.
      const cost = Buffer.byteLength(token) + (voidTags.has(tag) ? 0 : tag.length + 3)
      if (cost > room) break
      const start = kept.length
      kept += token
      room -= cost
      if (!voidTags.has(tag)) open.push({ tag, start, end: kept.length })
    }
  }
  for (const { tag, start, end } of open.reverse()) {
    kept = kept.length === end ? kept.slice(0, start) : `${kept}</${tag}>`
  }
  return kept
}

/** Cuts a text, plain or escaped, to at most `maxBytes` and an ellipsis: between words, or between letters of a long word. */
export function shortenText(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let kept = ''
  let bytes = 0
  for (const [letter] of text.matchAll(/&[a-z]+;|./gsu)) {
    bytes += Buffer.byteLength(letter)
    if (bytes > maxBytes) break
    kept += letter
  }
  return dropCutWord(kept) + ellipsis
}

/** Returns the largest size per part that keeps the sum of all parts within `total`. */
export function fairShare(sizes: readonly number[], total: number): number {
  let room = total
  const ascending = [...sizes].sort((a, b) => a - b)
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - index))
    if (size > share) return share
    room -= size
  }
  return Number.POSITIVE_INFINITY
}
