/** Around what matches. Texts for the search have no control characters of their own. */
export const marks = { start: '\u0002', stop: '\u0003' } as const

/** The characters that the function `search_tokens` inserts: between tokens, and after a repeated character. */
const inserted = { separator: '\u0001', repeated: '\u0005' } as const

// The characters that `search_folded` and `search_tokens` remove. They replace other characters one by one.
const removable = /[\p{M}\p{Cf}\u0640^_()]/u

/** A part of a text, with the places of the matches in it. */
export type Marked = { original: string; from: number; to: number; matches: { from: number; to: number }[] }

type Letter = { letter: string; isMatch: boolean }

/**
 * Returns where in a text the marked part of its tokens is, because tokens are without accents and in pairs of letters.
 * Returns null if it isn't there.
 */
export function findMarked(original: string, tokens: string, marked: string): Marked | null {
  const found = toLetters(marked)
  const all = toLetters(tokens).map(({ letter }) => letter)
  const first = all.join('').indexOf(found.map(({ letter }) => letter).join(''))
  if (first < 0) return null
  const places = placesIn(original, all)
  const start = countLetters(all, first)
  const placeAt = (index: number) => places[start + index] ?? original.length
  const matches: Marked['matches'] = []
  for (const [index, { isMatch }] of found.entries()) {
    const last = matches.at(-1)
    if (!isMatch) continue
    if (last?.to === placeAt(index)) last.to = placeAt(index + 1)
    else matches.push({ from: placeAt(index), to: placeAt(index + 1) })
  }
  return { original, from: placeAt(0), to: placeAt(found.length), matches }
}

/** Returns how many letters there are before this place of their text. */
function countLetters(letters: string[], place: number): number {
  let count = 0
  for (let rest = place; rest > 0; rest -= letters[count - 1]?.length ?? rest) count += 1
  return count
}

/** Returns the letters of tokens without what was inserted. */
function toLetters(tokens: string): Letter[] {
  const letters: Letter[] = []
  let isMatch = false
  let wasMatch = false
  for (const letter of tokens) {
    if (letter === marks.start) isMatch = true
    else if (letter === marks.stop) isMatch = false
    else if (letter === inserted.repeated) wasMatch = letters.pop()?.isMatch ?? false
    else if (letter !== inserted.separator) {
      letters.push({ letter, isMatch: isMatch || wasMatch })
      wasMatch = false
    }
  }
  return letters
}

/** Returns the place of each letter in the text that they were made from, and the text's end. */
function placesIn(original: string, letters: string[]): number[] {
  const places: number[] = []
  let place = 0
  for (const letter of letters) {
    place += removedAt(original, place, letter)
    places.push(place)
    place += characterAt(original, place).length
  }
  return [...places, original.length]
}

function removedAt(original: string, place: number, letter: string): number {
  let length = 0
  for (;;) {
    const character = characterAt(original, place + length)
    if (character === '' || character === letter || !removable.test(character)) return length
    length += character.length
  }
}

function characterAt(text: string, place: number): string {
  const code = text.codePointAt(place)
  return code === undefined ? '' : String.fromCodePoint(code)
}
