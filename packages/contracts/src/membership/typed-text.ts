/**
 * Normalizes what people type or paste into fields of one line: email addresses, phone numbers and one-time codes.
 * Passwords never pass through here. Free of zod, for the browser.
 */

// Unicode's own list of what is not shown: soft hyphens, marks of direction, emoji selectors, fillers, byte order marks.
const ignorable = /\p{Default_Ignorable_Code_Point}+/gu
const ignorableButJoiners = /(?:(?![\u200C\u200D])\p{Default_Ignorable_Code_Point})+/gu
// Between letters of Persian or Hindi a joiner is part of the spelling; next to ASCII it is a leftover.
const looseJoiners = /(?<![^ -~])[\u200C\u200D]+|[\u200C\u200D]+(?![^ -~\u200C\u200D])/gu
// With the line breaks, and the Braille cell without dots.
const spaces = /[\s\p{Z}\u0085\u2800]+/gu
const hyphens = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g
// Small and fullwidth forms, which keyboards for Chinese and Japanese enter.
const widthForms = /[\uFE50-\uFE6B\uFF01-\uFFEE]+/g

/** Returns an email address without what came along from a mail app or a text: `Ann <ann@example.com>`, `mailto:`, a full stop. */
export function normalizeEmail(text: string): string {
  let address = text
  for (;;) {
    const inner = innerAddress(onOneLine(address))
    if (inner === address) return address
    address = inner
  }
}

function onOneLine(text: string): string {
  return text
    .replace(ignorableButJoiners, '')
    .replace(looseJoiners, '')
    .replace(widthForms, (form) => form.normalize('NFKC'))
    .replace(hyphens, '-')
    .replace(spaces, ' ')
    .normalize('NFC')
    .trim()
}

/** Takes one layer off an address. NOTE: it must never turn a valid address into another valid one. */
function innerAddress(text: string): string {
  const link = /^mailto:([^?]*)/i.exec(text)?.[1]
  if (link !== undefined) return unescaped(link)
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? []
  if (bracketed !== undefined && isNameOf(name, bracketed)) return bracketed
  return text
    .replace(/^(["'“‘„«([])(.+)["'”’“»)\]]$/u, '$2')
    .replace(/[.,;:。、]+$/u, '')
    .replace(/ *@ */, '@')
    .replace(/(?<=@.*)。/gu, '.')
}

/** Returns whether a text names an address. Another address before it would be ambiguous. */
function isNameOf(name: string, address: string): boolean {
  const named = name.trim().toLowerCase()
  return !named.includes('@') || named === address.replace(/^mailto:/i, '').toLowerCase()
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a phone number with ASCII digits, plain spaces and hyphens; the rest as it was typed. */
export function normalizePhone(text: string): string {
  return plainDigits(text)
    .trim()
    .replace(/^tel:\s*/i, '')
    .replace(/[.,;]+$/, '')
    .trim()
}

/** Returns the only six-digit code in a text such as `Your code is 123 456.`, or null. */
export function findCode(text: string): string | null {
  const line = plainDigits(text)
  if (/\p{Cc}/u.test(line)) return null
  const alone = line.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(alone)) return alone
  const codes = line.match(/(?<![\d.,+][ -]?)\d{3}[ -]?\d{3}(?![ -]?\d|[.,]\d)/g) ?? []
  const [code, ...others] = new Set(codes.map((one) => one.replace(/[ -]/, '')))
  return code === undefined || others.length > 0 ? null : code
}

/** Returns the code in a text; a text without one as it is, which the server refuses. */
export function normalizeCode(text: string): string {
  return findCode(text) ?? text
}

/** Returns the digits of a text in ASCII. */
export function digitsOf(text: string): string {
  return plainDigits(text).replace(/\D/g, '')
}

/** Folds everything that only looks different, which is safe where only digits and signs have a meaning. */
function plainDigits(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(ignorable, '')
      .replace(/\p{Nd}/gu, asciiDigit)
      // Japanese keyboards enter U+30FC for a hyphen.
      .replace(/[\p{Pd}\u2212\u2043\u30FC]/gu, '-')
      .replace(spaces, ' ')
  )
}

const decimal = /\p{Nd}/u

/** Unicode encodes the digits of each numbering system from zero to nine, some systems right after another one. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (decimal.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}

/** Returns whether a text shows anything: more than spaces, control characters, and marks without a letter. */
export function hasVisibleText(text: string): boolean {
  return /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
