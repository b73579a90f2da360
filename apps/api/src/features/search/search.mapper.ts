import type { SearchResult, SearchText } from '@tidings/contracts/search'
import { z } from 'zod'
import { findMarked, type Marked } from './marked.ts'

/** How much of a text is compared with what was found in it. */
export const beginningCharacters = 500

// Shorter ends are shown, because they are punctuation.
const cutCharacters = 12

export const foundRowSchema = z.object({
  kind: z.enum(['memo', 'article']),
  id: z.string(),
  rank: z.number(),
  at: z.date(),
  /** Whether matches follow the page that this one is on. */
  hasMore: z.boolean(),
  date: z.string(),
  /** Null for an article. */
  slot: z.string().nullable(),
  language: z.string(),
  title: z.string(),
  titleTokens: z.string(),
  markedTitle: z.string(),
  /** A part of the text. */
  excerpt: z.string(),
  excerptTokens: z.string(),
  /** The tokens of a part of the excerpt. */
  markedExcerpt: z.string(),
  /** The beginning of the text, which is the whole one if `isShort`. */
  beginning: z.string(),
  isShort: z.boolean(),
})

/** A memo or an article that was found. */
export type FoundRow = z.infer<typeof foundRowSchema>

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

function toTitle({ title, titleTokens, markedTitle }: FoundRow): SearchText {
  const found = findMarked(title, titleTokens, markedTitle)
  return found === null ? [{ text: title, match: false }] : splitAt(found, { from: 0, to: title.length })
}

function toText({ excerpt, excerptTokens, markedExcerpt, beginning, isShort }: FoundRow): SearchText {
  const found = findMarked(excerpt, excerptTokens, markedExcerpt)
  if (found === null) return []
  const { from, to } = completeWords(found)
  const whole = withSingleSpaces(beginning)
  const shown = withSingleSpaces(excerpt.slice(from, to))
  const before = whole.startsWith(shown.slice(0, cutCharacters)) ? '' : '… '
  const end = whole.includes(shown) ? whole.slice(whole.indexOf(shown) + shown.length) : '…'
  const after = isShort && end.length < cutCharacters ? end : '…'
  const parts = splitAt(found, { from, to }).map(({ text, match }) => ({
    text: text.replaceAll(/\s+/g, ' '),
    match,
  }))
  return joinEqual([{ text: before, match: false }, ...parts, { text: after, match: false }])
}

/**
 * Adds the rest of the first and the last word, because Postgres cuts between the parts of an address, and leaves out the
 * spaces around.
 */
function completeWords({ original, from, to }: Marked): { from: number; to: number } {
  const [head = ''] = /[!-~]*$/.exec(original.slice(0, from)) ?? []
  const [tail = ''] = /^[!-~]*/.exec(original.slice(to)) ?? []
  const start = from - head.length
  const text = original.slice(start, to + tail.length)
  const first = start + text.length - text.trimStart().length
  return { from: first, to: first + text.trim().length }
}

function splitAt({ original, matches }: Marked, { from, to }: { from: number; to: number }): SearchText {
  const parts: SearchText = []
  let end = from
  for (const match of matches) {
    parts.push({ text: original.slice(end, match.from), match: false })
    parts.push({ text: original.slice(match.from, match.to), match: true })
    end = match.to
  }
  return joinEqual([...parts, { text: original.slice(end, to), match: false }])
}

function joinEqual(parts: SearchText): SearchText {
  const joined: SearchText = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.text === '') continue
    if (last?.match === part.match) last.text += part.text
    else joined.push({ ...part })
  }
  return joined
}

function withSingleSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
