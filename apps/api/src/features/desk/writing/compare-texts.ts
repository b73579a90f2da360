import { isDeepStrictEqual } from 'node:util'
import type { TextComparison } from '@tidings/contracts/desk/writing/version-terms'
import { diffWordsWithSpace } from 'diff'
import { plainText } from '#platform/html/plain-text.ts'

// Two texts that have nothing in common take long to compare, and the result says nothing.
const maxEdits = 5_000

/** Returns the names of the fields in which two texts differ. */
export function differingFields<Text extends object>(before: Text, after: Text): string[] {
  return Object.keys(before).filter((name) => !isDeepStrictEqual(fieldOf(before, name), fieldOf(after, name)))
}

/** Compares two texts by fields and words. Words of HTML are those of its text. */
export function compareTexts<Text extends object>(before: Text, after: Text): TextComparison {
  const fields = differingFields(before, after).map((field) => {
    const [earlier, later] = [fieldOf(before, field), fieldOf(after, field)]
    return { field, before: earlier, after: later, words: wordsOf(field, earlier, later) }
  })
  return { fields }
}

/** Returns whether a text has words in a field that another one doesn't have there. */
export function hasOtherWords(text: object, other: object): boolean {
  return differingFields(text, other).some((field) => {
    const there = new Set(listWords(fieldOf(other, field)))
    return listWords(fieldOf(text, field)).some((word) => !there.has(word))
  })
}

function listWords(value: unknown): string[] {
  if (value === null) return []
  if (typeof value !== 'string') return [JSON.stringify(value)]
  return value
    .replaceAll(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
}

function fieldOf(text: object, field: string): unknown {
  return Object.entries(text).find(([name]) => name === field)?.[1] ?? null
}

function wordsOf(field: string, before: unknown, after: unknown): TextComparison['fields'][number]['words'] {
  if (typeof before !== 'string' || typeof after !== 'string') return []
  const read = field === 'memo_content' || field === 'media_text' ? plainText : (text: string) => text
  const [earlier, later] = [read(before), read(after)]
  const changes = diffWordsWithSpace(earlier, later, { maxEditLength: maxEdits })
  if (changes === undefined)
    return [
      { kind: 'removed', text: earlier },
      { kind: 'added', text: later },
    ]
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
