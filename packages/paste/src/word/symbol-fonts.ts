// The symbols that Word puts in by itself or that people often choose, by the letter of their font.
const wingdings: Readonly<Record<string, string>> = {
  J: '☺',
  K: '😐',
  L: '☹',
  F: '☞',
  à: '→',
  ß: '←',
  á: '↑',
  â: '↓',
  ó: '⇔',
  ð: '⇨',
  ï: '⇦',
  ü: '✓',
  û: '✗',
  þ: '☑',
  ý: '☒',
  '¨': '◻',
  o: '□',
  n: '■',
  l: '●',
  '§': '▪',
  Ø: '➢',
  v: '❖',
}
const symbol: Readonly<Record<string, string>> = {
  '·': '•',
  '®': '→',
  '¬': '←',
  '³': '≥',
  '£': '≤',
  '¹': '≠',
  '»': '≈',
}
const privateUse = 0xf000

/** Returns what a font of symbols shows for a text. Other fonts show the text itself. */
export function readSymbols(text: string, font: string): string {
  const table = font === 'wingdings' ? wingdings : font === 'symbol' ? symbol : null
  if (!table) return text
  const shown = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0
    // Word also writes such a letter as a private character, above the letter's own code.
    const letter =
      code >= privateUse && code <= privateUse + 0xff ? String.fromCodePoint(code - privateUse) : character
    return table[letter] ?? character
  })
  return shown.join('')
}
