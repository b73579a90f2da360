/** One way to read the marker of a list item. */
export type Reading = { type: ListType; number: number }

/** The `type` of an `ol`: 1 for digits, letters, or Roman numerals. */
export type ListType = '1' | 'a' | 'A' | 'i' | 'I'

/** The meaning of a marker: a bullet, or a number. A letter such as `i` has two readings, the likelier one first. */
export type Marker = { list: 'ul' } | { list: 'ol'; readings: readonly Reading[] }

const romanValues = new Map(
  [...'ivxlcdm'].map((letter, index) => [letter, [1, 5, 10, 50, 100, 500, 1000][index] ?? 0]),
)
const romanNumeral = /^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
// (4) 4. 4) a. iv) 1.2.3. and digits of other scripts
const numbered = /^\(?(?:\p{Nd}{1,9}\.){0,9}(?:(\p{Nd}{1,9})|([a-zA-Z]{1,8}))([.)、:]{0,2})$/u

/** Parses what Word writes before a list item. Returns null for words, such as `Article 4.`, which stay text. */
export function parseMarker(text: string): Marker | null {
  const marker = text.normalize('NFKC').trim()
  if (marker === '') return null
  const [, digits, letters, end = ''] = numbered.exec(marker) ?? []
  if (digits !== undefined) return { list: 'ol', readings: [{ type: '1', number: toNumber(digits) }] }
  // A single letter without punctuation is a bullet in a font of symbols.
  if (letters !== undefined && end !== '') {
    const readings = readLetters(letters)
    return readings.length > 0 ? { list: 'ol', readings } : null
  }
  const isSymbol = [...marker].length === 1 || !/[\p{L}\p{N}]/u.test(marker)
  return isSymbol ? { list: 'ul' } : null
}

function readLetters(letters: string): Reading[] {
  const lower = letters.toLowerCase()
  const isUpper = letters === letters.toUpperCase()
  if (!isUpper && letters !== lower) return []
  const roman: Reading[] = romanNumeral.test(lower)
    ? [{ type: isUpper ? 'I' : 'i', number: toRoman(lower) }]
    : []
  // Word counts z, aa, bb, cc.
  const isAlphabetic = [...lower].every((letter) => letter === lower.charAt(0))
  const position = lower.charCodeAt(0) - 96 + 26 * (lower.length - 1)
  const alphabetic: Reading[] = isAlphabetic ? [{ type: isUpper ? 'A' : 'a', number: position }] : []
  return /^[cdlm]$/.test(lower) ? [...alphabetic, ...roman] : [...roman, ...alphabetic]
}

function toRoman(numeral: string): number {
  const values = [...numeral].map((letter) => romanValues.get(letter) ?? 0)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

function toNumber(digits: string): number {
  const ascii = [...digits].map((digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((first) => code >= first && code < first + 10)
    return zero === undefined ? digit : code - zero
  })
  const number = Number(ascii.join(''))
  return Number.isNaN(number) ? 1 : number
}

/** Returns the type of a list from the name that Word and CSS have for it, such as `alpha-lower` or `lower-roman`. */
export function parseListType(name: string | undefined): ListType | undefined {
  if (name === undefined) return undefined
  if (/^(?:alpha-lower|lower-(?:alpha|latin))$/.test(name)) return 'a'
  if (/^(?:alpha-upper|upper-(?:alpha|latin))$/.test(name)) return 'A'
  if (/^(?:roman-lower|lower-roman)$/.test(name)) return 'i'
  if (/^(?:roman-upper|upper-roman)$/.test(name)) return 'I'
  return /^decimal/.test(name) ? '1' : undefined
}
