import { isGsm } from './gsm.ts'

/** Letters that no normalization takes apart, and signs, with their equivalents in GSM 03.38. */
const replacements: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  œ: 'oe',
  Œ: 'OE',
  ẞ: 'SS',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ŋ: 'ng',
  Ŋ: 'Ng',
  ı: 'i',
  ĸ: 'k',
  ə: 'e',
  Ə: 'E',
  ɓ: 'b',
  Ɓ: 'B',
  ɗ: 'd',
  Ɗ: 'D',
  ƙ: 'k',
  Ƙ: 'K',
  ɛ: 'e',
  Ɛ: 'E',
  ɔ: 'o',
  Ɔ: 'O',
  ƒ: 'f',
  μ: 'u',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '‹': "'",
  '›': "'",
  '′': "'",
  '`': "'",
  '´': "'",
  ʼ: "'",
  ʻ: "'",
  ʹ: "'",
  '„': '"',
  '″': '"',
  '❝': '"',
  '❞': '"',
  '−': '-',
  '•': '-',
  '·': '-',
  '⁄': '/',
  '∕': '/',
  '¦': '|',
  '‰': ' per mille',
  '‽': '?!',
  '×': 'x',
  '÷': '/',
  '±': '+/-',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '≈': '~',
  '→': '->',
  '←': '<-',
  '↔': '<->',
  '⇒': '=>',
  '°': ' deg',
  '©': '(c)',
  '®': '(r)',
  '¢': 'c',
  '₹': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
  '₺': 'TRY',
  '₪': 'ILS',
  '₫': 'VND',
  '₴': 'UAH',
  '₦': 'NGN',
  '₱': 'PHP',
  '฿': 'THB',
  '₿': 'BTC',
}

/** Marks an omission until the spaces around it are known. */
const gap = '\0'

/**
 * Returns a text in GSM 03.38, with base letters for letters that it lacks, and without emoji. Returns null for a text that
 * would lose a letter, a number, a currency or a mathematical sign, or everything.
 */
export function toGsm(text: string): string | null {
  let written = ''
  for (const character of spelledOut(text)) {
    const replaced = replacementOf(character)
    if (replaced === null) return null
    written += replaced
  }
  const closed = written
    .replaceAll(/ *\0[ \0]*(?=[,.;:!?)\n]|$)/g, '')
    .replaceAll(/(^|\n) *\0[ \0]*/g, '$1')
    .replaceAll(/ *\0[ \0]*/g, ' ')
  return closed.trim() === '' && text.trim() !== '' ? null : closed
}

/** Returns a text as it is sent: in GSM 03.38, or whole in UCS-2 if it would lose words there. */
export function toText(text: string): string {
  return toGsm(text) ?? text.normalize('NFC')
}

/** Resolves groups that would change their meaning character by character: 10², 2½, 20 °C and ₹500. */
function spelledOut(text: string): string {
  return text
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+/g, '^$&')
    .replaceAll(/(?<=\d)[¼½¾⅐-⅞]/g, ' $&')
    .replaceAll('´', "'")
    .normalize('NFKC')
    .replaceAll(/ ?°(?=[CF](?!\p{L}))/gu, ' ')
    .replaceAll(/(?<=\d) ?(?=[₹₽₩₺₪₫₴₦₱฿₿])/g, ' ')
    .replaceAll(/(?<=[₹₽₩₺₪₫₴₦₱฿₿])(?=\d)/g, ' ')
}

/** Returns the replacement of a character; null if words or numbers would be lost without it. */
function replacementOf(character: string): string | null {
  if (isGsm(character)) return character
  if (Object.hasOwn(replacements, character)) return replacements[character] ?? null
  const base = character.normalize('NFD').replaceAll(/\p{M}/gu, '')
  if (base !== '' && [...base].every(isGsm)) return base
  if (/[\p{L}\p{N}\p{Sc}\p{Sm}]/u.test(character)) return null
  if (/\p{Pd}/u.test(character)) return '-'
  if (/[\p{Pi}\p{Pf}]/u.test(character)) return '"'
  if (/[\p{Z}\p{Cc}]/u.test(character)) return ' '
  return /[\p{M}\p{Cf}]/u.test(character) ? '' : gap
}
