import type { SearchResult, SearchText } from '@tidings/contracts/search'

/** Around what matches. Stored texts have no control characters. */
export const marks = { start: '\u0002', stop: '\u0003' } as const

/** How much of a text is compared with what was found in it. */
export const beginningCharacters = 500

// Shorter ends are shown, because they are punctuation.
const cutCharacters = 12
// As in the function `search_html`.
const inlineTag = /<\/?(strong|b|em|i|u|s|a|code|sup|sub|abbr|span|bdi|bdo)( [^<>]*)?>/g

/** A memo or an article that was found. Its slot is null for an article. */
export type FoundRow = {
  kind: 'memo' | 'article'
  id: string
  rank: number
  at: Date
  /** Whether matches follow the page that this one is on. */
  hasMore: boolean
  date: string
  slot: string | null
  language: string
  title: string
  markedTitle: string
  /** A part of sanitized HTML, marked and with block tags and entities. */
  markedHtml: string
  /** The excerpt of the text that `markedHtml` is a part of. */
  excerpt: string
  /** The beginning of the same HTML. */
  beginning: string
}

export function toWireResult(row: FoundRow): SearchResult {
  const shared = {
    _id: row.id,
    date: row.date,
    title: toTitle(row),
    text: toText(row),
    ...(row.language !== '' && { language: row.language }),
  }
  return row.slot === null
    ? { kind: 'article', ...shared }
    : { kind: 'memo', time_stamp: row.slot, ...shared }
}

function toText({ markedHtml, excerpt, beginning }: FoundRow): SearchText {
  const marked = completeWords(toPlain(markedHtml), toPlain(excerpt))
  const found = marked.replaceAll(marks.start, '').replaceAll(marks.stop, '')
  const whole = toPlain(beginning)
  const before = whole.startsWith(found.slice(0, cutCharacters)) ? '' : '… '
  const end = whole.includes(found) ? whole.slice(whole.indexOf(found) + found.length) : '…'
  const isEnd = beginning.length < beginningCharacters && end.length < cutCharacters
  return splitMarked(before + marked + (isEnd ? end : '…')).map(({ text, match }) => ({
    text: decodeEntities(text),
    match,
  }))
}

/** Adds the rest of the first and the last word, because Postgres cuts between the parts of an address. */
function completeWords(marked: string, excerpt: string): string {
  const found = marked.replaceAll(marks.start, '').replaceAll(marks.stop, '')
  const place = excerpt.indexOf(found)
  if (place < 0) return marked
  const [head = ''] = /[!-~]*$/.exec(excerpt.slice(0, place)) ?? []
  const [tail = ''] = /^[!-~]*/.exec(excerpt.slice(place + found.length)) ?? []
  return head + marked + tail
}

/** Removes tags, also those that are cut. Inline tags may stand inside a word. */
function toPlain(html: string): string {
  return (
    html
      .replaceAll(inlineTag, '')
      .replace(/^[^<>]*>/, ' ')
      .replaceAll(/<[^<>]*(>|$)/g, ' ')
      // Single spaces, which are most of the white space, stay untouched.
      .replaceAll(/\s{2,}|[^\S ]/g, ' ')
      .trim()
  )
}

// Postgres omits what looks like a tag. Such a title is shown whole, without marks.
function toTitle({ title, markedTitle }: FoundRow): SearchText {
  const parts = splitMarked(markedTitle)
  return parts.map(({ text }) => text).join('') === title ? parts : [{ text: title, match: false }]
}

function splitMarked(marked: string): SearchText {
  return marked
    .split(marks.start)
    .flatMap((piece, index): SearchText => {
      if (index === 0) return [{ text: piece, match: false }]
      const [match = '', ...rest] = piece.split(marks.stop)
      return [
        { text: match, match: true },
        { text: rest.join(''), match: false },
      ]
    })
    .filter(({ text }) => text !== '')
}

/** Decodes the four entities of sanitized HTML; `&amp;` last, so that escaped entities stay escaped. */
function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
